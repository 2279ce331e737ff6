"""Roles by the claims of an identity provider: the site's admins, and the leads and raters of projects."""

import logging
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from ..accounts.users import set_admin
from ..models import Membership, Project, User
from .members import add_member, remove_member

log = logging.getLogger(__name__)

GROUPS_LINK = "http://schemas.microsoft.com/claims/groups.link"
"""The attribute that Entra sends by SAML in place of more than 150 groups."""

Claims = Mapping[str, Any]


@transaction.atomic
def apply_claimed_roles(user: User, roles: Mapping[str, list[str]], values: set[str] | None) -> None:
    """Give the user the roles of the claim's `values` and withdraw the others that `roles` names; None changes nothing.

    Roles and projects that no group is mapped to stay as they are.
    """
    if not roles or values is None:
        return
    mapped = {role for names in roles.values() for role in names}
    claimed = {role for value, names in roles.items() if value in values for role in names}
    if "admin" in mapped:
        set_admin(user, "admin" in claimed)
    projects = {role.partition(":")[2] for role in mapped - {"admin"}}
    for project in Project.objects.filter(slug__in=projects).order_by("pk"):
        of_project = [
            role for role in (Membership.Role.LEAD, Membership.Role.RATER) if f"{role}:{project.slug}" in claimed
        ]
        if of_project:
            add_member(project, user, of_project[0])
        elif Membership.objects.filter(project=project, user=user).exists():
            remove_member(project, user)


def claim_values(claims: Claims, path: str) -> set[str] | None:
    """Return the values of the claim at a path such as `realm_access.roles`; a missing claim has none.

    None if the provider says that it left the values out because they are too many (`_claim_names`; GROUPS_LINK).
    """
    if path in claims:  # a name that contains dots, such as an address
        claim: Any = claims[path]
    else:
        claim = claims
        for name in path.split("."):
            claim = claim.get(name) if isinstance(claim, Mapping) else None
    if claim is None and (path in (claims.get("_claim_names") or {}) or GROUPS_LINK in claims):
        log.warning("the provider omitted the claim %s, so roles are not changed", path)
        return None
    values = claim if isinstance(claim, list) else [claim]
    return {value for value in values if isinstance(value, str)}
