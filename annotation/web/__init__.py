"""Pages: a view fetches through access, calls a room, and renders."""
