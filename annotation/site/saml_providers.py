"""The SAML identity providers of the file that SIGN_IN_PROVIDERS names: what is special to them."""

import importlib.util
from collections.abc import Iterable
from typing import Any

PROVIDER_CLASS = "annotation.web.accounts.saml.provider.SignInProvider"
ATTRIBUTES = {"uid", "email", "email_verified", "name", "username"}
OPTIONAL = {"attributes", "sp_certificate", "sp_private_key"}


def settings_of(table: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a table: the provider, the site's own key pair, and where attributes are."""
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.x509 import load_pem_x509_certificates

    certificates = load_pem_x509_certificates(table["certificate"].encode())
    return {
        "entity_id": table["entity_id"],
        "sso_url": table["sso_url"],
        "certificates": [certificate.public_bytes(Encoding.PEM).decode() for certificate in certificates],
        "sp_certificate": table.get("sp_certificate", ""),
        "sp_private_key": table.get("sp_private_key", ""),
        "attribute_mapping": table.get("attributes", {}),
    }


def problems(table: dict[str, Any]) -> Iterable[str]:
    """Yield what is wrong with a table whose texts are there."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from cryptography.x509 import load_pem_x509_certificates

    if importlib.util.find_spec("onelogin") is None:
        yield "SAML needs the package python3-saml: pip install -r requirements-all.lock (the Docker image has it)"
    attributes = table.get("attributes", {})
    if not isinstance(attributes, dict) or not all(isinstance(name, str) and name for name in attributes.values()):
        yield "[provider.attributes] must be a table of texts"
    elif unknown := sorted(set(attributes) - ATTRIBUTES):
        yield f"unknown attributes {', '.join(unknown)}"
    elif table.get("link_by_email") and "email_verified" not in attributes:
        yield "link_by_email needs the attribute email_verified, which says that the provider has verified the address"
    own = {"sp_certificate", "sp_private_key"} & set(table)
    if len(own) == 1:
        yield "sp_certificate and sp_private_key belong together"
    for key in ("certificate", *sorted(own)):
        content = str(table[key]).encode()
        try:
            if key == "sp_private_key":
                load_pem_private_key(content, password=None)
            else:
                load_pem_x509_certificates(content)
        except (ValueError, TypeError):
            yield f"{key} cannot be read: it must be text in PEM format"
