"""Idempotency keys: a request that is sent again with the same key gets the stored answer, and is carried out once.

The key is inserted first, in the transaction of the work. So a second request with the key waits until the first has
ended: then it gets the answer, or, if the first failed or its process was killed, it does the work itself. Only answers
of success are stored: a failed request has changed nothing.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from cryptography.fernet import InvalidToken
from django.core.files.uploadedfile import UploadedFile
from django.db import OperationalError, connection, transaction
from django.utils.translation import gettext as _
from psycopg.errors import LockNotAvailable
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from ..models import ApiToken, IdempotentRequest, User
from ..rating.submit import KeyReused
from ..site.database_clock import database_now
from ..site.secret_key import cipher

HEADER = "Idempotency-Key"
KEY_LENGTH = 200
LIFETIME = timedelta(days=1)
WAIT = "5s"
"""How long a request waits for another one with the same key."""
REPLAYED = {"Idempotent-Replayed": "true"}
STORED_HEADERS = ("ETag", "Location", "Link")
_PURPOSE = "idempotent answers"
_INSERT = """
    INSERT INTO annotation_idempotentrequest (user_id, key_digest, fingerprint, status, answer, expires_at)
    VALUES (%s, %s, %s, 0, '', %s) ON CONFLICT (user_id, key_digest) DO NOTHING
"""


class InProgress(APIException):
    """Another request with the same key has not ended."""

    status_code = status.HTTP_409_CONFLICT


def key_of(request: Request) -> str:
    """Return the idempotency key of a request, "" without one. Raises ValidationError."""
    key = request.headers.get(HEADER, "")
    if len(key) > KEY_LENGTH:
        raise ValidationError({HEADER: [f"At most {KEY_LENGTH} characters."]})
    return key


def run_once(request: Request, user: User, key: str, work: Callable[[], Response]) -> Response:
    """Return the answer of `work`, or of the earlier request with this key of the user.

    Raises KeyReused for the key of another request, and InProgress.
    """
    fingerprint, digest = _fingerprint(request), hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    with transaction.atomic():
        IdempotentRequest.objects.filter(user=user, key_digest=digest, expires_at__lte=database_now()).delete()
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [WAIT])
            try:  # waits for another request that has inserted it
                cursor.execute(_INSERT, [user.pk, digest, fingerprint, database_now() + LIFETIME])
            except OperationalError as error:
                if isinstance(error.__cause__, LockNotAvailable):
                    message = _(
                        "Another request with this Idempotency-Key has not ended. Send it again in a few seconds."
                    )
                    raise InProgress(message) from None
                raise
            is_new = cursor.rowcount == 1
            cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
        stored = IdempotentRequest.objects.get(user=user, key_digest=digest)
        if not is_new:
            return _repeat(stored, fingerprint)
        response = work()
        if status.is_success(response.status_code):
            headers = {name: response[name] for name in STORED_HEADERS if name in response}
            answer: Any = {"data": response.data, "headers": headers}
            stored.status = response.status_code
            stored.answer = cipher(_PURPOSE).encrypt(JSONRenderer().render(answer))
            stored.save(update_fields=["status", "answer"])
        else:
            stored.delete()
        return response


def _fingerprint(request: Request) -> str:
    """Return the SHA-256 of method, address, token and body; of files their contents.

    A token gets no stored answer to a request of another one, which may have had more rights.
    """
    token = request.auth.prefix if isinstance(request.auth, ApiToken) else None
    digest = hashlib.sha256(json.dumps([request.method, request.get_full_path(), token]).encode())
    if not request.FILES:
        digest.update(json.dumps(request.data, sort_keys=True).encode())
        return digest.hexdigest()
    form: Any = request.data  # a QueryDict, as there are files
    for name, values in sorted(form.lists()):
        for value in values:
            digest.update(f"\0{name}\0".encode())
            digest.update(_digest_of_file(value) if isinstance(value, UploadedFile) else str(value).encode())
    return digest.hexdigest()


def _digest_of_file(file: "UploadedFile[Any]") -> bytes:
    digest = hashlib.sha256((file.name or "").encode())
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.digest()


def _repeat(stored: IdempotentRequest, fingerprint: str) -> Response:
    if stored.fingerprint != fingerprint:
        raise KeyReused(_("This Idempotency-Key was used with another request."))
    try:
        answer = json.loads(cipher(_PURPOSE).decrypt(bytes(stored.answer)))
    except InvalidToken:  # SECRET_KEY was replaced
        raise InProgress(_("The request was carried out; its answer can no longer be read.")) from None
    return Response(answer["data"], status=stored.status, headers={**answer["headers"], **REPLAYED})
