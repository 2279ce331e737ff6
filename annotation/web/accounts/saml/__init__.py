"""Sign-in by SAML identity providers, loaded only if the site has one: allauth's provider with views of our own.

allauth's views keep each post of a stranger in the database, offer a single logout, and take what a response must
contain in a browser's sign-in as optional.
"""
