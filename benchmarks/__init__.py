"""Each module here measures one thing: `run()` yields figures, and `make bench` prints them."""
