"""The installation: environment, secret key, health, logging, static files, sign-up."""
