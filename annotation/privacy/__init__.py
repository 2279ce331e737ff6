"""Personal data: where it is stored, erasing a person, the export of one's own data, retention."""
