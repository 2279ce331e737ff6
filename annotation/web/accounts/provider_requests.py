"""Requests to identity providers, whose replies are bounded in size and time."""

import io
import ssl
from typing import Any

import httpx2
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.exceptions import ConnectionError, Timeout
from requests.structures import CaseInsensitiveDict
from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_encoding_from_headers, select_proxy

from ...site.bounded_replies import ReplyTooLarge, fetch

MAX_SIZE = 1_000_000
"""Bytes of a reply, decompressed."""
SECONDS = 5.0
"""For all of a reply: metadata, keys, tokens and user info are a few kB each."""


class BoundedAdapter(BaseAdapter):
    """Sends the requests of a session of `requests`, which allauth uses."""

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Any = None,
    ) -> Response:
        """Return the whole reply. Raises RequestException."""
        url = request.url or ""
        headers: Any = {**request.headers, "Accept-Encoding": "gzip, deflate"}
        body: Any = request.body
        try:
            context = ssl.create_default_context(cafile=verify if isinstance(verify, str) else DEFAULT_CA_BUNDLE_PATH)
            reply = fetch(
                httpx2.Request(request.method or "", url, headers=headers, content=body),
                max_size=MAX_SIZE,
                seconds=SECONDS,
                verify=context,
                proxy=select_proxy(url, proxies),
            )
        except TimeoutError as error:
            raise Timeout(f"{url}: {error}", request=request) from None
        except (ReplyTooLarge, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            raise ConnectionError(f"{url}: {type(error).__name__}: {error}", request=request) from None
        response = Response()
        response.status_code, response.url, response.request = reply.status_code, url, request
        response.headers = CaseInsensitiveDict(reply.headers)
        response.encoding = get_encoding_from_headers(response.headers)
        response.raw = io.BytesIO(reply.content)
        return response

    def close(self) -> None:
        """Do nothing: no connection outlives its reply."""
