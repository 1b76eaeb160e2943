"""Every bad file has a message that names its fault, and no file at all does anything else."""

import io
import pickle
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import core._tensor
import core.tensor_files
from core import TensorFileError, read_npy, read_npz, scan_npz
from core.tensor_files import MAX_DECODED_BYTES, MAX_FILE_BYTES, MAX_MEMBERS

MATRIX = np.arange(6.0).reshape(2, 3)


@pytest.fixture
def small_limit(monkeypatch):
    """Let arrays take 1 MB and no more, so that bombs can be small too."""
    for module in (core.tensor_files, core._tensor):
        monkeypatch.setattr(module, "MAX_DECODED_BYTES", 10**6)
    return 10**6


class Bomb:
    """Leaves a trace if it is ever unpickled."""

    went_off = False

    def __reduce__(self):
        return setattr, (Bomb, "went_off", True)


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npz(compressed=False, **arrays):
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **arrays)
    return file.getvalue()


def zipped(members, compression=zipfile.ZIP_DEFLATED):
    """Build an archive from (name, bytes) pairs, without asking whether that is sensible."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


def declaring(archive, size):
    """Change the unpacked size that an archive of one file declares."""
    data = bytearray(archive)
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.index(signature) + offset, size)
    return bytes(data)


def npy_with_header(header, body=b"", version=1):
    """Build an .npy with any header text."""
    text = header.encode("latin-1")
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + body


def npy_claiming(shape, descr="<f8", body=b""):
    return npy_with_header(
        f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}", body
    )


class TestReadNpy:
    @given(
        hnp.arrays(
            st.sampled_from([np.float16, np.float32, np.float64, ">f4", ">f8", np.bool_]),
            hnp.array_shapes(min_dims=2, max_dims=5, max_side=4),
        ),
        st.booleans(),
    )
    def test_round_trip(self, array, fortran):
        tensor = read_npy(npy(np.asfortranarray(array) if fortran else array))
        np.testing.assert_array_equal(tensor.values, array)
        assert tensor.values.flags.c_contiguous
        assert tensor.values.dtype == array.dtype.newbyteorder("=")
        assert tensor.values.dtype.isnative
        assert not tensor.values.flags.writeable

    @pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
    def test_versions(self, version):
        file = io.BytesIO()
        np.lib.format.write_array(file, MATRIX, version=version)
        np.testing.assert_array_equal(read_npy(file.getvalue()).values, MATRIX)

    def test_half_precision_stays(self):
        tensor = read_npy(npy(MATRIX.astype(np.float16)))
        assert (tensor.values.dtype, tensor.notes) == (np.float16, ())

    def test_big_endian_is_said(self):
        tensor = read_npy(npy(MATRIX.astype(">f4")))
        assert tensor.notes == ("The byte order was turned around (stored as >f4).",)
        np.testing.assert_array_equal(tensor.values, MATRIX)

    def test_fortran_order_is_said(self):
        tensor = read_npy(npy(np.asfortranarray(MATRIX)))
        assert "Fortran order" in tensor.notes[0]
        np.testing.assert_array_equal(tensor.values, MATRIX)

    @pytest.mark.parametrize(
        ("dtype", "becomes"),
        [("i1", "float32"), (">u2", "float32"), ("<i4", "float64"), ("<u8", "float64")],
    )
    def test_integers_are_converted_and_said(self, dtype, becomes):
        tensor = read_npy(npy(MATRIX.astype(dtype)))
        assert tensor.values.dtype == becomes
        np.testing.assert_array_equal(tensor.values, MATRIX)
        assert tensor.notes[0].startswith("Whole numbers (")
        assert becomes in tensor.notes[0]

    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16])
    def test_short_integers_are_exact(self, dtype):
        every = np.arange(np.iinfo(dtype).min, np.iinfo(dtype).max + 1).astype(dtype)[np.newaxis]
        np.testing.assert_array_equal(read_npy(npy(every)).values, every)

    @pytest.mark.parametrize("big", [2**53 + 1, -(2**63)])
    def test_integers_beyond_2_to_the_53_are_said(self, big):
        tensor = read_npy(npy(np.array([[big, 1]])))
        assert "rounded" in tensor.notes[1]
        assert len(read_npy(npy(np.array([[2**53, 1]]))).notes) == 1

    def test_nan_and_infinity_are_located(self):
        values = MATRIX.copy()
        values[1, 2], values[0, 1] = np.nan, -np.inf
        tensor = read_npy(npy(values), name="q.npy")
        assert tensor.non_finite.first == ((0, 1), (1, 2))
        assert tensor.non_finite.sentence.startswith("q.npy holds 1 × NaN, 1 × −inf among 6")

    def test_bytes_after_the_numbers_are_said(self):
        assert read_npy(npy(MATRIX) + b"xyz").notes == ("3 bytes after the numbers were left out.",)

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "the file is empty"),
            (npy(MATRIX)[:5], "ends within its header: 5 bytes in all"),
            (npy(MATRIX)[:40], "ends within its header: 40 bytes in all"),
            (npy(MATRIX)[:-1], r"truncated: its header announces 48 bytes .* and 47 are there"),
            (b"\x93NUMPX" + npy(MATRIX)[6:], "does not start as an .npy file: its first bytes are"),
            (pickle.dumps(MATRIX), "it is a Python pickle, which could run code"),
            (npz(a=MATRIX), "it is a zip archive"),
            (b"\x89HDF\r\n\x1a\n", "it is an HDF5 file"),
            (b"\x1f\x8b\x08", "compressed with gzip"),
            (struct.pack("<Q", 40) + b'{"q":{}}', "it is a safetensors file"),
            (b"1,2\n3,4", "its first bytes are 312c320a332c34"),
            (b"\x93NUMPY\x04\x00" + bytes(8), "is .npy of version 4.0; versions 1 to 3"),
            (npy_with_header("x" * 20_000, version=2), "claims a header of 20,000 bytes"),
            (npy(np.array([[None]]), allow_pickle=True), "Python objects, which are pickled"),
            (npy(MATRIX * 1j), "complex numbers, and scores are real"),
            (npy(np.array([["a"]])), "text, not numbers"),
            (npy(np.array([[b"a"]])), "byte strings, not numbers"),
            (npy(np.zeros((2, 2), "M8[s]")), "dates, not numbers"),
            (npy(np.zeros((2, 2), "m8[s]")), "durations, not numbers"),
            (npy(np.zeros((2, 2), [("q", "f4")])), "a structured array, with named fields"),
            (npy(np.zeros((2, 2), "V2")), r"raw bytes .*\(bfloat16 is saved so\)"),
            (npy_claiming((2, 2), "<f16"), r"long doubles \(<f16\), whose bytes differ"),
            (npy_claiming((2, 2), "<f3"), "unknown dtype '<f3'"),
            (npy_claiming((2, 2), "<f4,<f4"), "unknown dtype"),
            (npy_claiming((2, 2), "f\u00e98"), "unknown dtype"),
            (npy_claiming("(2, 2)", 8), "whose dtype is not a name"),
            (npy(np.zeros((3, 0))), r"shape \(3, 0\): axis 1 has length 0"),
            (npy(np.zeros(3)), r"shape \(3,\); at least two axes"),
            (npy(np.float64(3)), r"shape \(\); at least two axes"),
            (npy(np.zeros((1,) * 9)), "has 9 axes; at most 8"),
            (npy_claiming((10**6, 10**6)), "claims shape .* 8,000,000,000,000 bytes; at most"),
            (npy_claiming((10**30, 2)), "claims an axis longer than 1,000,000,000,000"),
            (npy_claiming((10**5, 300)), r"truncated: .* 240,000,000 bytes .* and 0 are there"),
            (npy_claiming((-2, 2)), "shape is not a tuple of whole numbers"),
            (npy_claiming("(True, 2)"), "shape is not a tuple of whole numbers"),
            (npy_claiming("[2, 2]"), "shape is not a tuple of whole numbers"),
            (npy_claiming("(2.0, 2)"), "shape is not a tuple of whole numbers"),
            (npy_claiming("(" + "9" * 5000 + ", 2)"), "not the dictionary"),
            (npy_with_header("{'descr': '<f8', 'shape': (2, 2)}"), "not the dictionary"),
            (npy_with_header("__import__('os').getcwd()"), "not the dictionary"),
            (npy_with_header("(" * 3000), "not the dictionary"),
            (npy_with_header("-" * 9000 + "1"), "not the dictionary"),
            (npy_with_header("'\\d'"), "not the dictionary"),
            (npy_with_header("\xff\0"), "not the dictionary"),
            (
                npy_with_header(str({"descr": "<f8", "fortran_order": 2, "shape": (2, 2)})),
                "fortran_order",
            ),
            (
                npy_claiming((1, 2), "|b1", b"\x01\x02"),
                "boolean, but holds bytes other than 0 and 1",
            ),
        ],
    )
    def test_bad_files(self, data, message):
        with pytest.raises(TensorFileError, match=message):
            read_npy(data)

    def test_pickled_objects_are_never_loaded(self):
        for data in (npy(np.array([[Bomb()]]), allow_pickle=True), pickle.dumps(Bomb())):
            with pytest.raises(TensorFileError, match="pickle"):
                read_npy(data)
        archive = npz(q=np.array([[Bomb()]]))
        with pytest.raises(TensorFileError, match="pickle"):
            scan_npz(archive)
        with pytest.raises(TensorFileError, match="pickle"):
            read_npz(archive, "q")
        assert not Bomb.went_off

    def test_too_large(self):
        with pytest.raises(TensorFileError, match=r"at most 67,108,864 \(64 MiB\) are accepted"):
            read_npy(bytes(MAX_FILE_BYTES + 1))

    def test_a_huge_claim_allocates_nothing(self):
        tracemalloc.start()
        with pytest.raises(TensorFileError, match="truncated"):
            read_npy(npy_claiming((MAX_DECODED_BYTES // 8, 1)))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1e6

    def test_integers_that_would_not_fit_once_converted(self, small_limit):
        assert read_npy(npy(np.zeros((1, small_limit // 8), np.int32))).values.nbytes == 10**6
        with pytest.raises(
            TensorFileError, match="more than 1,000,000 bytes once converted to float64"
        ):
            read_npy(npy(np.zeros((1, small_limit // 8 + 1), np.int32)))

    def test_odd_names_are_spelled_out(self):
        with pytest.raises(TensorFileError, match=r"^a\\u000a\\u202eb is empty$"):
            read_npy(b"", name="a\n\u202eb")


class TestScanNpz:
    def test_lists_headers(self):
        members = scan_npz(npz(q=MATRIX, k=MATRIX.astype(np.float16), names=np.array(["a"])))
        assert [(m.name, m.shape, m.dtype) for m in members] == [
            ("q", (2, 3), "float64"),
            ("k", (2, 3), "float16"),
            ("names", (), ""),
        ]
        assert [m.fault for m in members][:2] == [None, None]
        assert "text, not numbers" in members[2].fault

    def test_nested_names(self):
        members = scan_npz(npz(**{"layer0/q": MATRIX, "../../etc/k": MATRIX}))
        assert [m.name for m in members] == ["layer0/q", "../../etc/k"]

    def test_names_with_odd_characters(self):
        data = npz(**{"a\nb<b>\u202e$x$": MATRIX})
        (member,) = scan_npz(data)
        assert member.label == "a\\u000ab<b>\\u202e$x$"
        np.testing.assert_array_equal(read_npz(data, member.name).values, MATRIX)

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "the file is empty"),
            (npy(MATRIX), "is not an .npz archive: its first bytes are 934e"),
            (npz(a=MATRIX)[:-30], "damaged or truncated .npz archive"),
            (b"PK\x03\x04" + bytes(60), "damaged or truncated .npz archive"),
            (zipped([]), "without any array"),
            (zipped([("folder/", b"")]), "without any array"),
            (zipped([("q.npy", b"hello")]), "no array that can be used: q does not start as"),
            (zipped([("data.pkl", pickle.dumps(1))]), "it is a Python pickle"),
            (zipped([("a.npz", npz(a=MATRIX))]), "an archive within the archive"),
            (
                zipped([("q.npy", npy(MATRIX))], zipfile.ZIP_BZIP2),
                "compressed by bzip2; stored and",
            ),
            (zipped([("q.npy", npy(MATRIX))], zipfile.ZIP_LZMA), "compressed by LZMA; stored and"),
            (npz(a=np.zeros((0, 2)), b=np.array(1j)), r"axis 0 has length 0.* \(1 more is faulty"),
        ],
    )
    def test_bad_archives(self, data, message):
        with pytest.raises(TensorFileError, match=message):
            scan_npz(data)

    def test_duplicate_names(self):
        with pytest.warns(UserWarning, match="Duplicate name"):
            data = zipped([("q.npy", npy(MATRIX)), ("q.npy", npy(MATRIX * 2))])
        with pytest.raises(TensorFileError, match="holds 2 arrays of the same name, 'q'"):
            scan_npz(data)
        with pytest.raises(TensorFileError, match="holds 2 arrays of the same name, 'q'"):
            scan_npz(zipped([("q.npy", npy(MATRIX)), ("q", npy(MATRIX * 2))]))

    def test_encrypted(self):
        data = bytearray(npz(q=MATRIX))
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.index(signature) + offset] |= 1
        with pytest.raises(TensorFileError, match="q is encrypted; save the archive without"):
            scan_npz(bytes(data))

    def test_too_many_arrays(self):
        few, many = (
            zipped([(f"a{i}.npy", npy(MATRIX)) for i in range(count)], zipfile.ZIP_STORED)
            for count in (MAX_MEMBERS, MAX_MEMBERS + 1)
        )
        assert len(scan_npz(few)) == MAX_MEMBERS
        with pytest.raises(TensorFileError, match="more than 1,000 arrays"):
            scan_npz(many)

    def test_a_million_directory_entries_are_not_parsed(self):
        entry = b"PK\x01\x02" + bytes(42)
        tracemalloc.start()
        with pytest.raises(TensorFileError, match="more than 1,000 arrays"):
            scan_npz(b"PK\x03\x04" + entry * 1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 120e6  # the bytes themselves, twice while they are built


class TestReadNpz:
    @pytest.mark.parametrize("compressed", [False, True])
    @given(
        array=hnp.arrays(
            st.sampled_from([np.float16, ">f8", np.bool_]), hnp.array_shapes(min_dims=2, max_side=4)
        )
    )
    def test_round_trip(self, array, compressed):
        data = npz(compressed, q=array, other=MATRIX)
        np.testing.assert_array_equal(read_npz(data, "q").values, array)
        np.testing.assert_array_equal(read_npz(data, "other").values, MATRIX)

    def test_larger_than_a_piece(self):
        array = np.arange(600_000.0).reshape(600, 1000)
        np.testing.assert_array_equal(read_npz(npz(True, q=array), "q").values, array)

    def test_bytes_after_the_numbers_are_said(self):
        data = zipped([("q.npy", npy(np.ones((50, 50))) + bytes(3000))])
        assert read_npz(data, "q").notes == ("3,000 bytes after the numbers were left out.",)

    def test_unknown_name(self):
        with pytest.raises(TensorFileError, match="no array called 'v'"):
            read_npz(npz(q=MATRIX), "v")

    def test_truncated_member(self):
        with pytest.raises(TensorFileError, match="truncated: its header announces 48 bytes"):
            read_npz(zipped([("q.npy", npy(MATRIX)[:-8])]), "q")

    def test_wrong_checksum(self):
        data = bytearray(zipped([("q.npy", npy(MATRIX))], zipfile.ZIP_STORED))
        data[data.index(MATRIX.tobytes()) + 3] ^= 1
        with pytest.raises(TensorFileError, match=r"damaged, or larger .* \(Bad CRC-32"):
            read_npz(bytes(data), "q")

    def test_bomb_that_declares_its_size(self, small_limit):
        data = zipped([("q.npy", npy_claiming((2, 2), body=bytes(small_limit)))])
        assert len(data) < 2000
        with pytest.raises(
            TensorFileError, match=r"unpacks to 1,000,\d+ bytes from 1,\d+; at most"
        ):
            scan_npz(data)

    def test_bombs_that_add_up(self, small_limit):
        body = npy_claiming((2, 2), body=bytes(small_limit // 4))
        with pytest.raises(TensorFileError, match="unpacks to 1,25"):
            scan_npz(zipped([(f"{i}.npy", body) for i in range(5)]))

    def test_the_limit_itself(self):
        data = declaring(zipped([("q.npy", npy(MATRIX))]), MAX_DECODED_BYTES + 1)
        with pytest.raises(
            TensorFileError, match=r"unpacks to 268,435,457 bytes .* at most 268,435,456"
        ):
            scan_npz(data)

    def test_bomb_that_declares_too_little(self):
        bomb = zipped([("q.npy", npy_claiming((10**6, 1), body=bytes(8 * 10**6)))])
        data = declaring(bomb, 2000)
        tracemalloc.start()
        with pytest.raises(TensorFileError, match="q is damaged, or larger"):
            read_npz(data, "q")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 500_000

    def test_small_array_in_a_bomb_that_declares_too_little(self):
        # The header is honest and satisfied; what follows it is not declared.
        bomb = zipped([("q.npy", npy(MATRIX) + bytes(10**7))])
        with pytest.raises(TensorFileError, match="larger than the archive declares"):
            read_npz(declaring(bomb, len(npy(MATRIX))), "q")


def fault_of(read, *arguments):
    """Return what was read and the message of the one error there may be."""
    try:
        return read(*arguments), ""
    except TensorFileError as error:
        return None, str(error)


def try_everything(data):
    """Read `data` in every way there is; only TensorFileError may come out, in plain text."""
    faults = [fault_of(read_npy, data)[1]]
    members, fault = fault_of(scan_npz, data)
    faults.append(fault)
    for member in members or ():
        faults += [member.label, fault_of(read_npz, data, member.name)[1]]
    assert all(map(str.isprintable, faults))


VALID = [
    npy(MATRIX),
    npy(np.asfortranarray(MATRIX.astype(">i2"))),
    npz(q=MATRIX, k=np.array([[True]])),
    npz(True, **{"layer/q": MATRIX, "x": np.array("s")}),
]


class TestNothingButTensorFileError:
    @given(st.binary(max_size=300))
    @example(b"PK")
    @example(b"PK\x05\x06" + bytes(18))
    def test_random_bytes(self, data):
        try_everything(data)

    @given(st.sampled_from([b"\x93NUMPY\x01\x00", b"PK\x03\x04"]), st.binary(max_size=300))
    def test_random_bytes_after_a_magic(self, magic, data):
        try_everything(magic + data)

    @given(st.text(max_size=200))
    def test_random_headers(self, text):
        try_everything(
            npy_with_header(text.encode("latin-1", "replace").decode("latin-1"), bytes(16))
        )

    @given(
        st.sampled_from(["<f8", "|b1", ">u4", "|O", "<c8", "<U4", "<f16"]),
        st.lists(st.integers(-1, 2**70), max_size=9).map(tuple),
        st.booleans(),
        st.binary(max_size=64),
    )
    def test_random_claims(self, descr, shape, fortran, body):
        header = str({"descr": descr, "fortran_order": fortran, "shape": shape})
        try_everything(npy_with_header(header, body))
        try_everything(zipped([("q.npy", npy_with_header(header, body))]))

    @settings(max_examples=250)
    @given(
        st.sampled_from(VALID),
        st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), min_size=1, max_size=6),
    )
    def test_changed_bytes(self, data, changes):
        changed = bytearray(data)
        for place, value in changes:
            changed[place % len(changed)] = value
        try_everything(bytes(changed))

    @given(st.sampled_from(VALID), st.integers(0, 2000), st.integers(0, 2000))
    def test_cut_and_doubled(self, data, start, stop):
        start, stop = sorted((start % len(data), stop % len(data)))
        for changed in (
            data[:start],
            data[start:],
            data[:start] + data[stop:],
            data[:stop] + data[start:],
        ):
            try_everything(changed)
