"""Pages for admins about the running site: its state, and all jobs."""
