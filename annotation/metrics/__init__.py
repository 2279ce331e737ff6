"""Automatic metrics of responses: computed from texts, stored, and compared with people by `reporting`."""
