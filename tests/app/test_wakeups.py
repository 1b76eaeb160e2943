"""Messages of a script reach the event loop: all of them, in order, with few wakeups."""

import asyncio
import inspect
import threading

import pytest
import wakeups
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime


class CountingLoop(asyncio.SelectorEventLoop):
    """A loop that counts how often another thread wakes it."""

    woken = 0

    def call_soon_threadsafe(self, callback, *args, context=None):
        self.woken += 1
        return super().call_soon_threadsafe(callback, *args, context=context)


@pytest.fixture
def loop():
    loop = CountingLoop()
    yield loop
    loop.close()


class TestMailbox:
    def test_what_waits_together_is_one_wakeup_and_in_order(self, loop):
        mailbox, taken = wakeups.Mailbox(loop), []
        for number in range(100):
            mailbox.put(lambda number=number: taken.append(number))
        assert loop.woken == 1
        assert taken == []
        loop.run_until_complete(asyncio.sleep(0))
        assert taken == list(range(100))

    def test_nothing_is_left_lying_whichever_thread_is_quicker(self, loop):
        mailbox, taken = wakeups.Mailbox(loop), []
        done = asyncio.Event()
        senders = [
            threading.Thread(
                target=lambda name=name: [
                    mailbox.put(lambda i=i: taken.append((name, i))) for i in range(2000)
                ]
            )
            for name in range(4)
        ]

        def join_all():
            for sender in senders:
                sender.join()
            loop.call_soon_threadsafe(done.set)

        for sender in senders:
            sender.start()
        threading.Thread(target=join_all).start()
        loop.run_until_complete(asyncio.wait_for(done.wait(), 30))
        assert len(taken) == 8000
        for name in range(4):
            assert [i for sender, i in taken if sender == name] == list(range(2000))

    def test_one_that_fails_keeps_no_other_back(self, loop):
        mailbox, taken, failed = wakeups.Mailbox(loop), [], []
        loop.set_exception_handler(lambda _, context: failed.append(context["exception"]))
        mailbox.put(lambda: taken.append(1 / 0))
        mailbox.put(lambda: taken.append("kept"))
        loop.run_until_complete(asyncio.sleep(0))
        assert taken == ["kept"]
        assert [type(error) for error in failed] == [ZeroDivisionError]

    def test_what_comes_after_the_end_is_dropped(self, loop):
        mailbox = wakeups.Mailbox(loop)
        loop.close()
        mailbox.put(lambda: None)


class TestInstall:
    @pytest.mark.parametrize(
        ("owner", "name", "ours"),
        [
            (AppSession, "_call_soon_on_event_loop", wakeups._call_soon),
            (Runtime, "_enqueued_some_message", wakeups._note_message),
        ],
    )
    def test_takes_the_place_of_what_streamlit_has(self, monkeypatch, owner, name, ours):
        theirs = getattr(owner, name)
        monkeypatch.setattr(owner, name, theirs)  # put back after the test
        assert len(inspect.signature(theirs).parameters) == len(inspect.signature(ours).parameters)
        wakeups.install()
        assert getattr(owner, name) is ours
