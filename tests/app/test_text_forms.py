"""Encodings and brackets, whole and broken."""

import numpy as np
import pytest
from hypothesis import given
from text_forms import decode, unbracketed

from core import TensorFileError
from tests.app.matrices import MATRICES, ONE_TO_FOUR, read


class TestDecode:
    def test_utf_8_with_and_without_mark(self):
        assert decode("é,1".encode(), "f") == "é,1"
        assert decode("é,1".encode("utf-8-sig"), "f") == "é,1"

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ("1,2".encode("utf-16"), "f is encoded in UTF-16. Save it as UTF-8"),
            (b"\xfe\xff\0001", "encoded in UTF-16"),
            ("1,2".encode("utf-32"), "encoded in UTF-32"),
            ("1,2\n3,4".encode("utf-16-le"), "encoded in UTF-16, without a mark"),
            ("1,2\n3,4".encode("utf-16-be"), "encoded in UTF-16, without a mark"),
            (b"1,2\0", "not text: byte 3 is zero"),
            (
                "1,2\n3,é".encode("latin-1"),
                r"byte 0xe9 in line 2. It may be Latin-1 \(ISO 8859-1\)",
            ),
            ("1,€".encode("cp1252"), "or Windows-1252. Save it as UTF-8"),
        ],
    )
    def test_other_encodings_are_named(self, data, message):
        with pytest.raises(TensorFileError, match=message):
            decode(data, "f")


class TestUnbracketed:
    @pytest.mark.parametrize(
        "text",
        [
            "[[1, 2], [3, 4]]",
            "array([[1., 2.],\n       [3., 4.]], dtype=float32)",
            "np.array([[1, 2,], [3, 4,],])",
            "[[1. 2.]\n [3. 4.]]",
            "tensor([[1., 2.],\n        [3., 4.]])",
            " \n[[ 1,\n 2],\n[3, 4] ]",
            "tensor([[1., 2.],\n        [3., 4.]], device='cuda:0', grad_fn=<MulBackward0>)",
        ],
    )
    def test_as_python_prints_it(self, text):
        np.testing.assert_array_equal(read(unbracketed(text, "it")).values, ONE_TO_FOUR)

    @given(MATRICES)
    def test_numbers_survive_repr(self, values):
        with np.printoptions(threshold=10**6, floatmode="unique"):
            text = repr(values)
        np.testing.assert_array_equal(read(unbracketed(text, "it")).values, values)

    def test_other_text_is_left_alone(self):
        assert unbracketed("1,2\n3,4", "it") == "1,2\n3,4"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[[[1]]]", "three levels of brackets; paste one matrix"),
            ("[[1, 2], [3]]", "ragged"),
            ("[[1, 2], [3, ...]]", "was shortened when it was printed"),
            (str(np.arange(4004).reshape(1001, 4)), "was shortened when it was printed"),
            ("[", "does not go on so"),
            ("[[1, 2], [3,", "does not go on so"),
            ("[[1, 2], [3, 4]", "does not go on so"),
            ("[[1, 2], 5, 6, [3, 4]]", "nothing between them but commas"),
            ("[[1, 2], [3, 4]] 5", "does not go on so"),
        ],
    )
    def test_bad_brackets(self, text, message):
        with pytest.raises(TensorFileError, match=message):
            read(unbracketed(text, "it"))
