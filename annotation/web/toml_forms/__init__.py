"""Forms whose fields are values of a TOML text: read from the text, and posted back into it."""
