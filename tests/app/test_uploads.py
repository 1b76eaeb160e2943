"""Uploads by their extension and content, pasted text, and what the page is told of them."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest
from uploads import (
    EXTENSIONS,
    as_markdown,
    check_extent,
    guess_roles,
    open_upload,
    read_pasted,
    size_limit,
)

from core import Member, TensorFileError, diagnose

MATRIX = np.arange(6.0).reshape(2, 3)
SAMPLES = Path(__file__).resolve().parents[2] / "assets" / "samples"


def saved(**arrays):
    file = io.BytesIO()
    if len(arrays) == 1:
        np.save(file, arrays["only"])
    else:
        np.savez(file, **arrays)
    return file.getvalue()


class TestOpenUpload:
    @pytest.mark.parametrize("name", ["Q.npy", "Q.NPY", "C:\\x\\my.q.npy"])
    def test_npy(self, name):
        upload = open_upload(name, saved(only=MATRIX))
        (member,) = upload.members
        assert (member.shape, member.dtype, member.fault) == ((2, 3), "float64", None)
        np.testing.assert_array_equal(upload.read(member.name).values, MATRIX)

    def test_npz_keeps_faulty_members_apart(self):
        upload = open_upload("qkv.npz", saved(q=MATRIX, names=np.array(["a"])))
        assert [member.fault is None for member in upload.members] == [True, False]
        np.testing.assert_array_equal(upload.read("q").values, MATRIX)
        with pytest.raises(TensorFileError, match="names holds text"):
            upload.read("names")

    @pytest.mark.parametrize("extension", ["csv", "tsv", "txt"])
    def test_text(self, extension):
        upload = open_upload(f"q.{extension}", "\ufeffa;b\n1,5;2\n3;4".encode())
        tensor = upload.read(upload.members[0].name)
        np.testing.assert_array_equal(tensor.values, [[1.5, 2], [3, 4]])
        assert tensor.notes == (
            "Cells are separated by semicolons.",
            "Line 1 was taken as names of the columns.",
        )
        assert not tensor.values.flags.writeable

    def test_nan_in_text_is_located(self):
        upload = open_upload("q.csv", b"1,2\nnan,4")
        assert upload.read("q.csv").non_finite.first == ((1, 0),)

    @pytest.mark.parametrize(
        ("name", "data", "kind"),
        [("q.npy", saved(a=MATRIX, b=MATRIX), ".npz"), ("q.npz", saved(only=MATRIX), ".npy")],
    )
    def test_the_content_decides_between_npy_and_npz(self, name, data, kind):
        upload = open_upload(name, data)
        assert upload.notes == (
            f"The file is named {name[1:]}, but is {kind}; it was read as that.",
        )
        np.testing.assert_array_equal(upload.read(upload.members[0].name).values, MATRIX)

    @pytest.mark.parametrize(
        ("name", "data", "message"),
        [
            ("model.pt", b"PK", "model.pt is a file of type .pt; accepted are .npy, .npz, .csv"),
            ("noextension", b"1", "noextension is a file without an extension; accepted are"),
            ("x.\u202ecsv", b"1", r"x.\\u202ecsv is a file of type .\\u202ecsv"),
            ("", b"1", "the file is a file without an extension"),
            ("q.npy", b"", "q.npy is empty"),
            ("q.csv", b"", "q.csv is empty"),
            ("q.csv", saved(only=MATRIX), "q.csv is named .csv, but is .npy; rename it"),
            ("q.txt", saved(a=MATRIX, b=MATRIX), "q.txt is named .txt, but is .npz; rename it"),
            ("q.npy", b"1,2", "q.npy does not start as an .npy file"),
            ("q.npz", b"1,2", "q.npz is not an .npz archive"),
            ("q.csv", b"1,2\n3", "q.csv is ragged: line 2 has 1 cells"),
            ("q.csv", b"\xff\xfe1\0", "q.csv is encoded in UTF-16"),
            ("<b>$\n.csv", b"x,y", r"<b>\$\\u000a.csv, line 1, column 1: 'x' is not a number"),
        ],
    )
    def test_bad_files(self, name, data, message):
        with pytest.raises(TensorFileError, match=message):
            open_upload(name, data)

    def test_unknown_array(self):
        with pytest.raises(TensorFileError, match=r"q.csv has no array called 'v'"):
            open_upload("q.csv", b"1,2").read("v")

    @given(st.text(max_size=20), st.sampled_from(EXTENSIONS), st.binary(max_size=200))
    def test_nothing_but_that_error(self, name, extension, data):
        try:
            upload = open_upload(f"{name}.{extension}", data)
            tensors = [upload.read(member.name) for member in upload.members if not member.fault]
        except TensorFileError as error:
            said = str(error)
        else:
            said = "".join(tensor.name for tensor in tensors)
        assert said.isprintable()


class TestReadPasted:
    @pytest.mark.parametrize("text", ["1 2\n3 4", "[[1, 2], [3, 4]]", "x,y\n1,2\n3,4"])
    def test_forms(self, text):
        np.testing.assert_array_equal(read_pasted(text).values, [[1, 2], [3, 4]])

    def test_too_long(self):
        with pytest.raises(
            TensorFileError, match="1,000,001 characters; at most 1,000,000 are read"
        ):
            read_pasted("1" * 1_000_001)

    def test_ragged(self):
        with pytest.raises(TensorFileError, match="the pasted text is ragged"):
            read_pasted("1 2\n3")


class TestGuessRoles:
    def test_usual_names(self):
        names = ["V", "attn.key_states", "layer0/Q", "attention_mask", "x"]
        members = [Member(name, name, (2, 2), "float32", None) for name in names]
        assert guess_roles(members) == {
            "query": "layer0/Q",
            "key": "attn.key_states",
            "value": "V",
            "mask": "attention_mask",
        }

    def test_faulty_and_unknown_arrays_have_none(self):
        members = [Member("q", "q", (), "", "broken"), Member("foo", "foo", (2, 2), "f4", None)]
        assert guess_roles(members) == {}


class TestCheckExtent:
    @pytest.mark.parametrize(
        ("query", "key"), [((4096, 64), (4096, 64)), ((16, 4096, 8), (4096, 8)), ((5,), (5, 5))]
    )
    def test_within(self, query, key):
        check_extent(query, key)

    @pytest.mark.parametrize(
        ("query", "key", "message"),
        [
            ((4097, 8), (10, 8), "longer than 4,096 tokens"),
            ((10, 8), (4097, 8), "longer than 4,096 tokens"),
            ((17, 4096, 8), (17, 4096, 8), "make 17 heads and 285,212,672 scores; at most"),
            ((1025, 1, 8), (1, 8), "make 1,025 heads"),
        ],
    )
    def test_beyond(self, query, key, message):
        with pytest.raises(TensorFileError, match=message):
            check_extent(query, key)


class TestSizeLimit:
    def test_says_the_limits(self):
        assert "64 MiB" in size_limit()
        assert "4,096 tokens" in size_limit()


class TestAsMarkdown:
    def test_names_are_shown_as_they_are(self):
        # As a page's error box would show it: no markup of the name may be left.
        name = "<b>x</b> **y** [l](http://h) $a$ :red[z] `c` # _u_ ~s~ | \\ &amp;"

        def page(message):
            import streamlit as st

            st.error(message)

        app = AppTest.from_function(page, args=(as_markdown(name),)).run()
        shown = app.error[0].value
        assert "".join(shown.split("\\")) == "".join(name.split("\\"))
        for mark in "<>*[]()$:`#_~|&":
            assert shown.count("\\" + mark) == shown.count(mark)


class TestSamples:
    """The files offered for trying do what their README says."""

    def arrays(self, name):
        upload = open_upload(name, (SAMPLES / name).read_bytes())
        roles = guess_roles(upload.members)
        return {role: upload.read(member).values for role, member in roles.items()}

    def diagnosed(self, name):
        arrays = self.arrays(name)
        return diagnose(arrays.pop("query"), arrays.pop("key"), **arrays)

    def test_random_heads(self):
        assert self.diagnosed("random_heads.npz").verdict.word == "as-modelled"

    def test_trained_layer_0(self):
        diagnosis = self.diagnosed("trained_layer_0.npz")
        assert diagnosis.verdicts[2].word == "saturated"
        assert f"{diagnosis.heads[2].std:.1f}" == "64.6"

    def test_tokens_first(self):
        (hint,) = self.diagnosed("tokens_first.npz").hints
        assert (hint.kind, hint.needed) == ("heads-after-tokens", False)

    def test_nan_and_mask(self):
        diagnosis = self.diagnosed("nan_and_mask.npz")
        assert diagnosis.verdict.word == "not-finite"
        assert diagnosis.non_finite[0].first == ((5, 3), (7, 0))

    def test_small_csv(self):
        query, key = (
            open_upload(name, (SAMPLES / name).read_bytes()).read(name).values
            for name in ("small_query.csv", "small_key.csv")
        )
        assert diagnose(query, key).verdict.word == "as-modelled"

    def test_every_sample_is_in_the_readme(self):
        readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
        files = [f.name for f in SAMPLES.iterdir() if f.suffix in (".npz", ".csv")]
        assert len(files) == 6
        assert all(f"`{name}`" in readme for name in files)
