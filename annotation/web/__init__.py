"""Pages: a view fetches through access, calls a package, and renders.

There is a package for each part of the site; `urls.py` has all addresses.
"""
