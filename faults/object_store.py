"""An S3-compatible server in this process, which keeps its objects in memory."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

import boto3
from django.test import override_settings
from moto.server import ThreadedMotoServer

from annotation.settings import STORAGES

BUCKET, REGION = "factuary-faults", "us-east-1"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}


@contextmanager
def object_store(address: str) -> Iterator[dict[str, str]]:
    """Start the server and use it in this process; yield the variables for parts that reach it at `address`."""
    server = ThreadedMotoServer("0.0.0.0", port=0, verbose=False)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    _host, port = server.get_host_and_port()
    url = f"http://127.0.0.1:{port}"
    os.environ |= CREDENTIALS
    try:
        boto3.client("s3", endpoint_url=url, region_name=REGION).create_bucket(Bucket=BUCKET)
        options = {"bucket_name": BUCKET, "endpoint_url": url, "region_name": REGION}
        backend = {"BACKEND": "annotation.site.object_storage.ObjectStorage", "OPTIONS": options}
        with override_settings(S3_BUCKET=BUCKET, STORAGES={**STORAGES, "default": backend}):
            yield CREDENTIALS | {
                "S3_BUCKET": BUCKET,
                "S3_REGION": REGION,
                "S3_ENDPOINT_URL": f"http://{address}:{port}",
            }
    finally:
        server.stop()
