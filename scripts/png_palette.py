"""Write a screenshot as a PNG with at most 256 colors, which is less than half as large and looks the same."""

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

COLORS = 256
EXACT = 160  # the most frequent colors, which stay as they are: surfaces, lines, text
DECODE = """async (encoded) => {
  const blob = await (await fetch(`data:image/png;base64,${encoded}`)).blob();
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none" });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const parts = [];
  for (let i = 0; i < data.length; i += 32768) parts.push(String.fromCharCode(...data.subarray(i, i + 32768)));
  return { width, height, pixels: btoa(parts.join("")) };
}"""


def with_palette(picture: bytes, page: Page) -> bytes:
    """Return the PNG with a palette. `page`: any page, whose browser decodes the picture."""
    decoded = page.evaluate(DECODE, base64.b64encode(picture).decode())
    pixels = np.frombuffer(base64.b64decode(decoded["pixels"]), np.uint8)
    pixels = pixels.reshape(decoded["height"] * decoded["width"], 4)[:, :3]
    colors, inverse, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    palette = _palette(colors, counts)
    nearest = np.array([np.abs(palette.astype(int) - color).sum(axis=1).argmin() for color in colors], np.uint8)
    return _png(nearest[inverse.ravel()].reshape(decoded["height"], decoded["width"]), palette)


def _palette(colors: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the most frequent colors, then the means of groups of the other colors: of those that are frequent and far
    from the first, so that a small sign keeps its color.
    """
    order = np.argsort(-counts, kind="stable")
    exact, others = order[:EXACT], order[EXACT:]
    _groups, group_of = np.unique(colors[others] >> 4, axis=0, return_inverse=True)
    group_of = group_of.ravel()
    weights = np.bincount(group_of, counts[others])
    sums = [np.bincount(group_of, counts[others] * colors[others, channel]) for channel in range(3)]
    means = np.stack(sums, axis=1) / weights[:, None]
    distances = np.abs(means[:, None] - colors[exact].astype(float)).sum(axis=2).min(axis=1)
    chosen = np.argsort(-weights * distances, kind="stable")[: COLORS - len(exact)]
    return np.concatenate([colors[exact], means[chosen].round().astype(np.uint8)])


def _png(indexes: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    height, width = indexes.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), indexes], axis=1).tobytes()  # each without a filter
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, *zip(*chunks, strict=True)))


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
