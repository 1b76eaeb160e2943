"""What all pages are built from."""

import components
import pytest


class TestDownload:
    @pytest.mark.parametrize(
        ("view", "fold", "controls"),
        [
            ("divisor.py", "The numbers as a table", {}),
            ("sweep.py", "", {"preset": "self-attention"}),
            ("own.py", "Sample files to download", {}),
        ],
    )
    def test_no_file_is_made_before_it_is_asked_for(self, open_app, view, fold, controls):
        app = open_app(view, **controls)
        app.session_state[f"fold {fold}"] = True
        app.run()
        offered = [button.proto for button in app.get("download_button")]
        assert offered
        assert all(proto.deferred_file_id and not proto.url for proto in offered)

    def test_a_table_is_written_when_it_is_asked_for(self, monkeypatch):
        class Table:
            def to_csv(self, *, index):
                assert not index
                return "a,b\n1,2\n"

        offered = []
        monkeypatch.setattr(
            components.st, "download_button", lambda *args, **options: offered.append(args)
        )
        components.download_csv(Table(), name="numbers")
        assert offered[0][1]() == b"a,b\n1,2\n"
