import threading

import pytest

from core._pipeline import Pipeline


@pytest.fixture(params=[True, False])
def pipeline(request):
    with Pipeline(threaded=request.param) as pipeline:
        yield pipeline


class TestPipeline:
    def test_hands_back_the_result_of_the_job_before(self, pipeline):
        assert [pipeline.submit(lambda i=i: i) for i in (7, 8, 9)] == [0, 7, 8]
        assert [pipeline.finish(), pipeline.finish()] == [9, 0]

    def test_jobs_follow_each_other(self, pipeline):
        order = []
        for i in range(200):
            pipeline.submit(lambda i=i: order.append(i) or i)
            assert order[:i] == list(range(i))  # all before the last are done
        pipeline.finish()
        assert order == list(range(200))

    def test_raises_what_a_job_raises(self, pipeline):
        def run():
            pipeline.submit(lambda: 1 // 0)
            pipeline.finish()

        with pytest.raises(ZeroDivisionError):
            run()

    @pytest.mark.parametrize("threaded", [True, False])
    def test_thread(self, threaded):
        before = threading.active_count()
        with Pipeline(threaded=threaded) as pipeline:
            pipeline.submit(threading.get_ident)
            assert (pipeline.finish() == threading.get_ident()) is not threaded
        assert threading.active_count() == before

    def test_whoever_breaks_off_waits_for_the_job_under_way(self):
        go, done = threading.Event(), threading.Event()

        def job():
            assert go.wait(30)
            done.set()
            return 1

        def break_off():
            with Pipeline(threaded=True) as pipeline:
                pipeline.submit(job)
                threading.Timer(0.05, go.set).start()
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            break_off()
        # Its memory is lent to the next run.
        assert done.is_set()
