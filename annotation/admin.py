"""Django's admin pages for the site's operators: accounts and memberships to change, the rest to view.

Changes here call the same functions as all pages, so they are in the audit. Only memberships can be deleted here: an
account is closed instead, because its ratings stay.
"""

from http import HTTPStatus
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import secure_admin_login
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.decorators import method_decorator

from .accounts.names import PersonError, check_free, save_name, valid_username
from .accounts.sign_ins import record_sign_out
from .accounts.users import rename_user, set_active
from .audit import record
from .models import AuditEvent, Dataset, Job, Judge, Membership, Notification, Project, ProtocolVersion, User
from .projects.members import add_member, remove_member


class Site(admin.AdminSite):
    """Admin pages for superusers only; allauth's sign-in page limits attempts."""

    site_header = site_title = "Factuary administration"
    index_title = "Everything that is stored"

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to allauth's page; refuse signed-in users who are not superusers."""
        return secure_admin_login(super().login)(request, extra_context)

    @method_decorator(login_not_required)  # without a session it leads to the index, not back to itself
    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """End the session; record it in the audit."""
        if isinstance(request.user, User):
            record_sign_out(request.user, get_adapter().get_client_ip(request))
        return super().logout(request, extra_context)

    def has_permission(self, request: HttpRequest) -> bool:
        """Allow active superusers."""
        return request.user.is_active and request.user.is_superuser


site = Site(name="admin")
LOGGED = ("username", "email", "is_active", "is_superuser")  # of an account; erasing a person finds former names here


class ReadOnly(admin.ModelAdmin):
    """Base of pages without changes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow it."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow it."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow it."""
        return False


class CheckedName(forms.ModelForm):
    """A form whose user name follows the rules of all accounts."""

    def clean_username(self) -> str:
        try:
            username = valid_username(self.cleaned_data["username"])
            check_free(username, self.instance)
        except PersonError as error:
            raise ValidationError(str(error)) from None
        return username


class PersonForm(CheckedName, UserChangeForm):
    """An account."""


class PersonCreationForm(CheckedName, AdminUserCreationForm):
    """A name and optionally a password; without one, the people page has a link to set it."""

    class Meta(AdminUserCreationForm.Meta):
        model = User


def _actor(request: HttpRequest) -> User:
    """Return the signed-in user: these pages require a login."""
    assert isinstance(request.user, User)
    return request.user


@admin.register(User, site=site)
class People(UserAdmin):
    """Accounts."""

    form = PersonForm
    add_form = PersonCreationForm
    list_display = ("username", "first_name", "last_name", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("Rights", {"fields": ("is_active", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Prevent admins from closing their own account, and from changing that of an erased person or a judge."""
        if obj and (obj.erased_at or Judge.objects.filter(user=obj).exists()):
            return (*LOGGED, "first_name", "last_name", "last_login", "date_joined")
        own = ("is_active", "is_superuser") if obj == request.user else ()
        return ("last_login", "date_joined", *own)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow it: accounts are closed, not deleted."""
        return False

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        """Show the form again if another account got the name in the meantime."""
        try:
            return super().changeform_view(request, *args, **options)
        except PersonError as error:
            messages.error(request, str(error))
            return redirect(request.path)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Record in the audit that an admin set a password, without the password."""
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
            record(_actor(request), "set password", f"user:{User.objects.get(pk=id).username}")
        return response

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        """Save and record the change. Admins may use these pages, so the two flags are equal."""
        obj.is_staff = obj.is_superuser
        before = User.objects.filter(pk=obj.pk).values(*LOGGED).first()
        closes = bool(before and before["is_active"] and not obj.is_active)
        obj.is_active = obj.is_active or closes  # set_active closes it, and frees the leases
        if before and before["username"] != obj.username:
            rename_user(User.objects.get(pk=obj.pk), obj.username, actor=_actor(request))
            obj.refresh_from_db(fields=["name_key", "original_name", "former_names"])
            before["username"] = obj.username
        save_name(obj)
        after = {field: getattr(obj, field) for field in LOGGED}
        if before != after:
            verb = "change user" if change else "create user"
            record(_actor(request), verb, f"user:{obj.username}", before=before, after=after)
        if closes:
            set_active(obj, False, actor=_actor(request))


@admin.register(Membership, site=site)
class Memberships(admin.ModelAdmin):
    """The roles of users in projects."""

    list_display = ("user", "project", "role", "created_at")
    list_filter = ("role", "project")
    search_fields = ("user__username", "project__slug")
    fields = ("user", "project", "role")  # pauses and exemptions change on the checks page

    def get_readonly_fields(self, request: HttpRequest, obj: Membership | None = None) -> tuple[str, ...]:
        """Allow only the role of a membership to change."""
        return ("user", "project") if obj else ()

    def save_model(self, request: HttpRequest, obj: Membership, form: ModelForm, change: bool) -> None:
        """Add the member as the projects' pages do."""
        obj.pk = add_member(obj.project, obj.user, obj.role, actor=_actor(request)).pk

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        """Remove the member as the projects' pages do, which frees the leases."""
        remove_member(obj.project, obj.user, actor=_actor(request))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Remove one by one, each with its audit event."""
        for membership in queryset.select_related("project", "user"):
            self.delete_model(request, membership)


@admin.register(Project, site=site)
class Projects(ReadOnly):
    """Projects; they have pages of their own to create and change them."""

    list_display = ("slug", "title", "dataset", "protocol", "overlap", "created_at")
    search_fields = ("slug", "title")


@admin.register(ProtocolVersion, site=site)
class Protocols(ReadOnly):
    """Stored protocols; a stored version never changes."""

    list_display = ("slug", "version", "title", "sha256", "created_at")
    search_fields = ("slug", "title")


@admin.register(Dataset, site=site)
class Datasets(ReadOnly):
    """Data sets; the site's own pages show their contents."""

    list_display = ("slug", "title", "format", "created_at")
    search_fields = ("slug", "title")


@admin.register(Job, site=site)
class Jobs(ReadOnly):
    """Background jobs and their outcome."""

    list_display = ("kind", "project", "state", "attempts", "started_by", "created_at", "ended_at")
    list_filter = ("kind", "state")
    list_select_related = ("project", "started_by")


@admin.register(Notification, site=site)
class Notifications(ReadOnly):
    """What people were notified of."""

    list_display = ("created_at", "recipient", "kind", "project", "count", "read_at", "mailed_at")
    list_filter = ("kind",)
    list_select_related = ("recipient", "project")


@admin.register(AuditEvent, site=site)
class Audit(ReadOnly):
    """Audit events. Append-only."""

    list_display = ("at", "actor", "action", "target", "project")
    list_filter = ("action",)
    search_fields = ("target",)
    list_select_related = ("actor", "project")
    date_hierarchy = "at"
