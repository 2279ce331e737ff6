"""The JSON API: the workspace and other programs call the same routes."""
