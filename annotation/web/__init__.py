"""Pages: a view fetches through access, calls a room, and renders.

A package for each part of the site, whose `pages.py` has the views that people come to first; `urls.py` has all
addresses.
"""
