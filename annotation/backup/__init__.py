"""Backups: database and stored files in one file, which is written while raters work.

The file is a tar of the stored files (`files/…`), the dump of pg_dump's custom format in parts of 16 MiB
(`database/…`), and last `manifest.json`. With a passphrase the tar is encrypted. docs/backup.md is for operators.
"""
