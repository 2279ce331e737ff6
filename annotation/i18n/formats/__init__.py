"""Number formats of languages where pages differ from Django."""
