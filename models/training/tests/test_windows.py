import unittest
from itertools import pairwise

from umpire_recipe.reading.windows import OVERLAP_TOKENS, WINDOW_TOKENS, Segments

CONTENT = WINDOW_TOKENS - 2
CLS, SEP = 7, 8
windows = Segments(CLS, SEP).windows


class Windows(unittest.TestCase):
    def test_a_text_that_fits_is_one_window(self):
        for count in (0, 1, 381, CONTENT):
            ids = list(range(1000, 1000 + count))
            self.assertEqual(windows(ids), [[CLS, *ids, SEP]])

    def test_longer_texts_are_covered_by_windows_of_one_length(self):
        for count in (383, 384, 446, 700, 701, 1018, 1019, 2048, 5000, 15900, 16384):
            ids = list(range(1000, 1000 + count))
            cut = windows(ids)
            self.assertEqual({len(window) for window in cut}, {WINDOW_TOKENS}, count)
            self.assertEqual(len(cut), -(-(count - OVERLAP_TOKENS) // (CONTENT - OVERLAP_TOKENS)), count)
            self.assertEqual((cut[0][1], cut[-1][-2]), (ids[0], ids[-1]), count)
            for window, following in pairwise(cut):
                shared = window[-2] - following[1] + 1
                self.assertGreaterEqual(shared, OVERLAP_TOKENS, count)
            for window in cut:
                self.assertEqual(window, [CLS, *range(window[1], window[1] + CONTENT), SEP], count)


if __name__ == "__main__":
    unittest.main()
