"""Quality: whether flags are right, and why documents are flagged."""

from dashboards.model import Dashboard, Panel, Query, Row, mean, quantiles, rate, total

NOTHING_SAMPLED = "no pair has been compared yet"
STEPS = rate("neardup_candidates_total", "step")


def step(name):
    return rate("neardup_candidates_total", where=f'step="{name}"')


RIGHT = Row("Are the flags right?", (
    Panel("Precision",
          "Of the sampled near-duplicates, the share whose exact similarity reaches the threshold. Normal: above "
          "0.95; what is missing lies just below the threshold.",
          "percentunit", (Query("neardup_quality_precision_ratio{SCOPE}", "{{instance}}"),), highest=1, alarm=0.8,
          alarm_below=True, empty=NOTHING_SAMPLED),
    Panel("Recall near the threshold",
          "Of the sampled pairs at most 0.05 above the threshold, the share that was flagged: the hard ones only, "
          "recall of all duplicates is much higher. Normal: 0.75 to 0.95, and steady.",
          "percentunit", (Query("neardup_quality_recall_ratio{SCOPE}", "{{instance}}"),), highest=1,
          empty=NOTHING_SAMPLED),
    Panel("Samples",
          "Pairs behind both. With fewer than 300 they say little; with few originals they need more.",
          "short", (Query(total("neardup_quality_precision_samples"), "precision"),
          Query(total("neardup_quality_recall_samples"), "recall"))),
    Panel("Pairs compared",
          "Exactly, a second, off the way of the flags.",
          "short", (Query(rate("neardup_quality_pairs_total", "kind"), "{{kind}}"),)),
    Panel("Pairs skipped",
          "A second. no_text: the text of the original is not in memory, which is usual: only a sample of them is; "
          "busy: the share of CPU time for the check is used up.",
          "short", (Query(rate("neardup_quality_pairs_skipped_total", "reason"), "{{reason}}"),)),
    Panel("Cost of the check",
          "CPU cores for these comparisons.",
          "short", (Query(rate("neardup_quality_seconds_total"), "cores"),)),
))

WHY = Row("Why are documents flagged?", (
    Panel("Similarity of near-duplicates",
          "Of flagged near-duplicates to their originals. Much at the threshold: many flags hang on its exact "
          "place, try `neardup tune`.",
          "percentunit", (Query(rate("neardup_similarity_ratio_bucket", "le"), "{{le}}"),), kind="heatmap", width=12),
    Panel("Similarity, mean",
          "A fall to the threshold: looser copies than before, or accidental ones.",
          "percentunit", (Query(mean("neardup_similarity_ratio"), "mean"),), width=6, highest=1, empty="no near-duplicate comes"),
    Panel("Rule",
          "Fingerprints of the rules in use. More than one: instances decide differently.",
          "short", (Query("count by (rule) (neardup_service_info{SCOPE})", "{{rule}}"),), kind="names", width=6),
    Panel("Candidates",
          "Pairs a second that got as far as each step. Each step should take away most of what comes to it.",
          "short", (Query(STEPS, "{{step}}"),), width=12, log_scale=True),
    Panel("Share that passes",
          "Of the nominated, how many pass the 1-bit filter; of these, how many are confirmed. Few confirmed: much "
          "work for nothing, more rows a band help.",
          "percentunit", (Query(f"{step('passed_one_bit')} / {step('nominated')}", "1-bit filter"),
          Query(f"{step('confirmed')} / {step('passed_one_bit')}", "confirmed")), width=12, highest=1,
          empty="no candidate comes"),
))

BUCKETS = Row("Are there hot buckets?", (
    Panel("Size of buckets",
          "Postings in the buckets that are looked up. Most are empty or small; a growing 99th percentile: a "
          "template that many documents share.",
          "short", quantiles("neardup_bucket_postings"), empty="nothing is being read"),
    Panel("Buckets at the cap",
          "Look-ups for each document in which lsh.bucket_cap left documents out. Normal: near 0. What is left out "
          "can be missed.",
          "short",
          (Query(f"{rate('neardup_bucket_caps_hit_total')} / {rate('neardup_documents_total')}", "at the cap"),),
          alarm=1, empty="nothing is being read"),
    Panel("Candidates for a document",
          "Nominated, for each document.",
          "short", (Query(f"{step('nominated')} / {rate('neardup_documents_total')}", "nominated"),),
          empty="nothing is being read"),
    Panel("Spread of bucket sizes",
          "How many look-ups met a bucket of how many postings.",
          "short", (Query(rate("neardup_bucket_postings_bucket", "le"), "{{le}}"),), kind="heatmap", width=12),
    Panel("Duplicates in the last batch",
          "Share of exact and near-duplicates, by instance.",
          "percentunit", (Query("neardup_duplicates_ratio{SCOPE}", "{{instance}}"),), width=12, highest=1),
))

BOARD = Dashboard("neardup-quality", "Quality",
                  "Whether flags are right, by exact comparison of a sample, and why documents are flagged.",
                  (RIGHT, WHY, BUCKETS))
