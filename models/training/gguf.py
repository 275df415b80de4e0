"""Writes and reads GGUF version 3 with F32 and Q8_0 tensors.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
Q8_0: blocks of 32 weights, each an f16 scale and 32 signed bytes.
"""

import struct

import numpy

MAGIC, VERSION, ALIGNMENT = b"GGUF", 3, 32
F32, Q8_0 = 0, 8
BLOCK = numpy.dtype([("scale", "<f2"), ("quants", "i1", 32)])
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
SCALARS = {UINT32: "<I", INT32: "<i", FLOAT32: "<f", BOOL: "<?"}


def quantize(weights):
    """Rows whose length is a multiple of 32 -> Q8_0 blocks; the largest weight of a block becomes 127."""
    blocks = weights.astype(numpy.float32).reshape(-1, 32)
    packed = numpy.zeros(len(blocks), BLOCK)
    packed["scale"] = numpy.abs(blocks).max(axis=1) / 127
    scale = packed["scale"].astype(numpy.float32)[:, None]
    quants = numpy.divide(blocks, scale, out=numpy.zeros_like(blocks), where=scale > 0)
    packed["quants"] = numpy.clip(numpy.rint(quants), -127, 127)
    return packed


def dequantize(packed):
    return packed["quants"].astype(numpy.float32) * packed["scale"].astype(numpy.float32)[:, None]


def type_of(value):
    """GGUF's type for a Python value; ids and sizes are uint32, arrays of integers int32."""
    return {bool: BOOL, int: UINT32, float: FLOAT32, str: STRING, list: ARRAY}[type(value)]


def pack_value(kind, value):
    if kind == STRING:
        data = value.encode()
        return struct.pack("<Q", len(data)) + data
    if kind == ARRAY:
        element = INT32 if isinstance(value[0], int) else type_of(value[0])
        return struct.pack("<IQ", element, len(value)) + b"".join(pack_value(element, item) for item in value)
    return struct.pack(SCALARS[kind], value)


def write(path, metadata, tensors):
    """tensors: {name: f32 array}; matrices become Q8_0, vectors F32. GGUF lists the innermost size first."""
    header = MAGIC + struct.pack("<IQQ", VERSION, len(tensors), len(metadata))
    for key, value in metadata.items():
        kind = type_of(value)
        header += pack_value(STRING, key) + struct.pack("<I", kind) + pack_value(kind, value)
    body = b""
    for name, array in tensors.items():
        kind = Q8_0 if array.ndim == 2 else F32
        header += pack_value(STRING, name) + struct.pack("<I", array.ndim)
        header += struct.pack(f"<{array.ndim}Q", *reversed(array.shape)) + struct.pack("<IQ", kind, len(body))
        data = (quantize(array) if kind == Q8_0 else array.astype("<f4")).tobytes()
        body += data + bytes(-len(data) % ALIGNMENT)
    with open(path, "wb") as file:
        file.write(header + bytes(-len(header) % ALIGNMENT) + body)


class Reader:
    def __init__(self, data):
        self.data, self.position = data, 0

    def unpack(self, form):
        values = struct.unpack_from(form, self.data, self.position)
        self.position += struct.calcsize(form)
        return values if len(values) > 1 else values[0]

    def value(self, kind):
        if kind == STRING:
            length = self.unpack("<Q")
            self.position += length
            return self.data[self.position - length:self.position].decode()
        if kind == ARRAY:
            element, count = self.unpack("<IQ")
            return [self.value(element) for _ in range(count)]
        return self.unpack(SCALARS[kind])


def read(path):
    """(metadata, {name: f32 array}) of a file that `write` wrote."""
    with open(path, "rb") as file:
        reader = Reader(file.read())
    if reader.data[:4] != MAGIC:
        raise ValueError(f"{path} is not a GGUF file")
    reader.position = 4
    _, tensor_count, pair_count = reader.unpack("<IQQ")
    metadata = {reader.value(STRING): reader.value(reader.unpack("<I")) for _ in range(pair_count)}
    entries = []
    for _ in range(tensor_count):
        name = reader.value(STRING)
        shape = [reader.unpack("<Q") for _ in range(reader.unpack("<I"))][::-1]
        entries.append((name, shape, *reader.unpack("<IQ")))
    start = reader.position + -reader.position % ALIGNMENT
    tensors = {}
    for name, shape, kind, offset in entries:
        count = int(numpy.prod(shape))
        if kind == Q8_0:
            array = dequantize(numpy.frombuffer(reader.data, BLOCK, count // 32, start + offset))
        elif kind == F32:
            array = numpy.frombuffer(reader.data, "<f4", count, start + offset)
        else:
            raise ValueError(f"{path}: tensor {name} has type {kind}; only F32 and Q8_0 are read")
        tensors[name] = array.reshape(shape)
    return metadata, tensors
