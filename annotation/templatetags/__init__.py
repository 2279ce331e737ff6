"""How templates write what they are given. No arithmetic of consequence happens here."""
