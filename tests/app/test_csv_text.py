"""A matrix in text, in every form that spreadsheets and libraries write, and the broken ones."""

import io

import numpy as np
import pandas as pd
import pytest
from csv_text import MAX_COLUMNS
from hypothesis import example, given
from hypothesis import strategies as st

from core import TensorFileError
from tests.app.matrices import MATRICES, ONE_TO_FOUR, read


class TestReadMatrix:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("1,2\n3,4", "commas"),
            ("1;2\n3;4\n", "semicolons"),
            ("1\t2\r\n3\t4\r\n", "tabs"),
            ("  1   2\n  3   4\n", "spaces"),
            ("1, 2\r3, 4", "commas"),
            ('"1","2"\n"3","4"', "commas"),
            ("# made by hand\n\n1,2\n\n3,4\n", "passed over: 1"),
            ("x,y\n1,2\n3,4", "Line 1 was taken as names of the columns"),
            ("a;b\n1,0;2\n3;4", "Line 1 was taken as names"),
            (",x,y\n0,1,2\n1,3,4", "first column was taken as an index"),
            (",0,1\n0,1,2\n1,3,4", "first column was taken as an index"),
            ("index;x;y\n5;1;2\n6;3;4", "first column was taken as an index"),
            ("token,x,y\nthe,1,2\ncat,3,4", "taken as labels of the rows"),
            ("the 1 2\ncat 3 4", "taken as labels of the rows"),
            ("x y\n1 1 2\n2 3 4", "first column was taken as an index"),
        ],
    )
    def test_forms_of_one_matrix(self, text, said):
        matrix = read(text)
        np.testing.assert_array_equal(matrix.values, ONE_TO_FOUR)
        assert said in " ".join(matrix.notes)

    def test_decimal_commas(self):
        np.testing.assert_array_equal(read("1,5;-2,25\n3;4e-1").values, [[1.5, -2.25], [3, 0.4]])

    def test_the_minus_that_is_no_hyphen(self):
        matrix = read("−1,−2\n3,4\n5,6")
        np.testing.assert_array_equal(matrix.values, [[-1, -2], [3, 4], [5, 6]])

    def test_what_is_too_large_for_float64_is_said(self):
        matrix = read("1e400,1\n-1e999,2")
        np.testing.assert_array_equal(matrix.values, [[np.inf, 1], [-np.inf, 2]])
        assert "2 numbers are beyond ±1.8 × 10³⁰⁸" in " ".join(matrix.notes)
        assert not any("beyond" in note for note in read("inf,1\n2,3").notes)

    def test_nan_and_infinity(self):
        values = read("nan,inf\n-Infinity,NaN").values
        np.testing.assert_array_equal(values, [[np.nan, np.inf], [-np.inf, np.nan]])

    def test_booleans(self):
        values = read("True,FALSE\nfalse,true").values
        assert values.dtype == np.bool_
        np.testing.assert_array_equal(values, [[True, False], [False, True]])

    def test_one_row_and_one_column(self):
        assert read("1,2,3").values.shape == (1, 3)
        assert read("1\n2\n3").values.shape == (3, 1)

    def test_a_running_number_without_a_name_is_kept_and_asked_about(self):
        matrix = read("0,5\n1,6\n2,7")
        assert matrix.values.shape == (3, 2)
        assert "The first column counts up by 1. If it is an index" in " ".join(matrix.notes)

    def test_names_of_columns_that_are_numbers_are_asked_about(self):
        assert "The first line counts up" in " ".join(read("0,1,2\n5,5,5").notes)

    def test_more_digits_than_64_bits(self):
        np.testing.assert_array_equal(
            read("123456789012345678901234567890,1").values[0, 0], 123456789012345678901234567890.0
        )

    @given(MATRICES)
    def test_numbers_survive_numpy_savetxt(self, values):
        file = io.StringIO()
        np.savetxt(file, values, delimiter=",", fmt="%.17g", header="a comment")
        np.testing.assert_array_equal(read(file.getvalue()).values, values)

    @given(MATRICES, st.sampled_from([(",", "."), (";", ","), ("\t", "."), (";", ".")]))
    def test_numbers_survive_pandas(self, values, how):
        separator, decimal = how
        frame = pd.DataFrame(values, index=[f"t{i}" for i in range(len(values))])
        text = frame.to_csv(sep=separator, decimal=decimal, na_rep="nan")
        np.testing.assert_array_equal(read(text).values, values)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "no line with numbers"),
            ("# only\n\n", "no line with numbers"),
            ("1,2\n3", "ragged: line 2 has 1 cells, line 1 has 2"),
            ("1,2\n\n3,4,5", "ragged: line 3 has 3 cells, line 1 has 2"),
            ("a,b,c\n1,2\n3,4", "ragged: 3 names of columns above 2 cells"),
            ("1,,3\n4,5,6", "line 1, column 2 is empty. Write nan"),
            ("1,2,\n3,4,", "line 1, column 3 is empty"),
            ("1,2\n3,x", "line 2, column 2: 'x' is not a number"),
            ("1,2\n3,<b>\u202e</b>", r"'<b>\\u202e</b>' is not a number"),
            ("i,x\n0,1\n1,2,", "ragged"),
            (",x,y\n0,1,2\n1,q,4", "line 3, column 2: 'q'"),
            ("1+2j,1\n2,3", "complex numbers are not accepted"),
            ("1,True\n2,3", "'True' is not a number"),
            ("1,5 2,5\n1,0 3,1", "Decimal commas need semicolons or tabs"),
            ("1_000,2\n3,4", "'1_000' is not a number"),
            ("0x10,2\n3,4", "'0x10' is not a number"),
            ("١,٢\n٣,٤", "is not a number"),
            ("１,２\n3,4", "line 1, column 1: '１' is not a number"),
            ("0x10,1_000\n1,2\n3,4", "line 1, column 1: '0x10' is not a number"),
            ('"1,000",2\n3,4', "'1,000' is not a number. Write thousands without a comma"),
            ('1,"2,5"\n3,4', "decimal commas need semicolons or tabs"),
            ("1|2\n3|4", "Cells are separated by tabs, semicolons, commas, spaces"),
            ("a\nb", "line 2, column 1: 'b' is not a number"),
            (",".join("1" * (MAX_COLUMNS + 1)), "more than 4,096 columns in line 1"),
            ("1," * 10**6 + "1", "more than 4,096 columns in line 1"),
            ("1 " * 10**6, "more than 4,096 columns in line 1"),
            ('"' + "1" * 200_000 + '"', "field larger than field limit"),
            ('1,"2\n3",4', "line 1 has a quotation mark that is not closed"),
            ("1\n" * 1_000_001, "has 1,000,001 lines; at most 1,000,000"),
        ],
    )
    def test_bad_text(self, text, message):
        with pytest.raises(TensorFileError, match=message):
            read(text)

    @given(st.text(st.sampled_from("01.,;-+e\t \n\r\"'#xnaif\\\x1c\u2028é"), max_size=60))
    @example('"1\n2"')
    @example("\ufeff1")
    def test_nothing_but_that_error(self, text):
        try:
            matrix = read(text)
        except TensorFileError:
            return
        assert matrix.values.ndim == 2
        assert matrix.values.size > 0
