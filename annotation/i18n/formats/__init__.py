"""How languages write numbers, where pages do otherwise than Django."""
