"""The reader of scrapes takes what is right and finds each kind of mistake."""

import math
import unittest

import exposition

GAUGE = '# HELP g how much\n# TYPE g gauge\ng{a="x",b="y \\"z\\""} 1.5\ng{a="y",b=""} Nan\n'
HISTOGRAM = ("# HELP h how long\n# TYPE h histogram\n"
             'h_bucket{le="0.1"} 1\nh_bucket{le="+Inf"} 3\nh_count 3\nh_sum 0.5\n')


class Exposition(unittest.TestCase):
    def test_families_are_read(self):
        found = exposition.parse(GAUGE + HISTOGRAM)
        self.assertEqual((found["g"].type, found["g"].help, found["g"].label_names()), ("gauge", "how much", {"a", "b"}))
        self.assertEqual(found["g"].value(a="x", b='y \\"z\\"'), 1.5)
        self.assertTrue(math.isnan(found["g"].value(a="y", b="")))
        self.assertEqual((found["h"].count(), found["h"].sum()), (3, 0.5))

    def test_mistakes_are_found(self):
        wrong = {
            "no line end": GAUGE[:-1],
            "no type": "# HELP g x\ng 1\n",
            "no help": "# TYPE g gauge\ng 1\n",
            "an unknown type": "# HELP g x\n# TYPE g sum\ng 1\n",
            "no samples": "# HELP g x\n# TYPE g gauge\n",
            "a family twice": GAUGE + GAUGE,
            "a series twice": GAUGE + 'g{b="",a="y"} 2\n',
            "a label twice": '# HELP g x\n# TYPE g gauge\ng{a="1",a="2"} 1\n',
            "an open label": '# HELP g x\n# TYPE g gauge\ng{a="1} 1\n',
            "a sample of another family": GAUGE + "other 1\n",
            "no number": GAUGE + 'g{a="z",b=""} many\n',
            "a counter below zero": "# HELP c x\n# TYPE c counter\nc -1\n",
            "buckets that fall": HISTOGRAM.replace('le="0.1"} 1', 'le="0.1"} 4'),
            "no last bucket": HISTOGRAM.replace('h_bucket{le="+Inf"} 3\n', ""),
            "a count that is not the last bucket's": HISTOGRAM.replace("h_count 3", "h_count 2"),
            "no sum": HISTOGRAM.replace("h_sum 0.5\n", ""),
        }
        for name, text in wrong.items():
            with self.subTest(name), self.assertRaises(ValueError):
                exposition.parse(text)


if __name__ == "__main__":
    unittest.main()
