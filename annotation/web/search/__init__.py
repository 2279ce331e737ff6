"""Search over what a person may see: projects, pages, actions, people and responses."""
