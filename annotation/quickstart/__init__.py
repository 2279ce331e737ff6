"""A whole site on one machine: PostgreSQL, Valkey, web server, worker and beat, started and stopped together."""
