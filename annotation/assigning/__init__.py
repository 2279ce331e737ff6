"""Who rates what: projects and their sheets, members, the queue and the leases."""
