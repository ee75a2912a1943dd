#include "service/cli/command_table.h"

#include <map>

namespace neardup {
namespace {

const OptionSpec kConfig{"--config", "-c", Takes::kFile, false,
                         "YAML file of settings (docs/configuration.md)"};
const OptionSpec kSet{"--set", "", Takes::kSetting, true,
                      "KEY=VALUE, overrides the file and the environment"};
const OptionSpec kPreset{"--preset", "", Takes::kText, false,
                         "Settings to begin with, as --set: web, code, news or short"};
const OptionSpec kState{"--state", "", Takes::kDirectory, false, "Directory of the state"};
const OptionSpec kAllowAllRejected{"--allow-all-rejected", "", Takes::kNothing, false,
                                   "Exit with status 0 even if every record was rejected"};
const OptionSpec kJson{"--json", "", Takes::kNothing, false, "Print JSON instead of text"};
const OptionSpec kNamespace{"--namespace", "", Takes::kText, false,
                            "Namespace of the ids; default: the empty one"};

CommandSpec scan() {
  return {
      "scan",
      "Flag every document of files: unique, exact duplicate or near-duplicate, and of which",
      "INPUT is JSON Lines, one object a line with \"id\" and \"text\"; CSV or TSV with the\n"
      "names of its columns in the first row (.csv, .tsv); or WARC and WET: plain, .gz, .zst,\n"
      ".bz2, .xz or .lz4; or - for stdin; or Parquet, where neardup is built with Arrow. A\n"
      "directory stands for all such files below it, a pattern (* ? [a-z], ** for any\n"
      "directories) for the files with such names; both in the order of their names.\n"
      "With Arrow all of them may be in a bucket: s3://bucket/key, with credentials from\n"
      "the environment (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL ...).\n"
      "With --state, a later run continues: new documents are compared with the earlier\n"
      "ones, and an interrupted run is resumed. Without it the state is temporary. Flags go\n"
      "to stdout without -o.\n"
      "Exit status: 0 done, 64 usage, 65 input unreadable or every record rejected, 74 I/O\n"
      "error, 75 state in use or in disagreement, 78 configuration, 130 and 143 stopped by\n"
      "SIGINT and SIGTERM.",
      {kConfig,
       kSet,
       kPreset,
       {"--state", "", Takes::kDirectory, false, "Keep the state here and continue from it"},
       {"--output", "-o", Takes::kFile, false,
        "Write the flags to this file, crash-safe with --state; as Parquet if named .parquet"},
       {"--emit", "", Takes::kText, true,
        "KIND=PATH: write the records that are kept, duplicates, rejected or deleted to a file, as "
        "they are; .gz and .zst are compressed. Of Parquet to a folder, kept=DIR/, a file for each "
        "input; mask=DIR/ tells which rows are kept. dolma=DIR/ writes attributes of JSON Lines"},
       {"--files-from", "", Takes::kFile, false,
        "Read also the files named in this one, one a line; - for stdin"},
       {"--dry-run", "", Takes::kNothing, false,
        "Write nothing; say what the run would find, and what it would cost in time and disk"},
       {"--sample", "", Takes::kText, false,
        "With --dry-run: read this share of each file only, from its start, such as 1%"},
       {"--rescan", "", Takes::kNothing, false,
        "Read inputs again even if the state has already read them"},
       {"--keep-going", "", Takes::kNothing, false,
        "After a damaged or missing input read the remaining ones, and exit with status 65"},
       kAllowAllRejected,
       {"--quiet", "-q", Takes::kNothing, false,
        "No progress, notes and summary, only errors (and the summary of --json)"},
       {"--json", "", Takes::kNothing, false,
        "Summary as one JSON object on stderr's last line; before it one of progress each 5 s"}},
      {{"INPUT", Takes::kFile, 0, 0, "Files, directories or patterns, in this order"}}};
}

CommandSpec serve() {
  return {
      "serve",
      "Flag documents as they arrive: from Kafka topics to another topic, exactly once, or over "
      "HTTP",
      "Without a kafka setting, documents arrive over HTTP (docs/api.md), and --state is\n"
      "the only option needed.\n"
      "Runs until SIGTERM or SIGINT, then delivers what is decided\n"
      "(shutdown.drain_seconds). After a crash, rerun the same command: no flag is lost,\n"
      "duplicated or changed. See docs/operations.md for deployment, monitoring and\n"
      "recovery.\n"
      "Exit status: 0 drained, 74 I/O error, 75 another instance took over, or state and\n"
      "Kafka disagree, 78 configuration, credentials, permissions or topics; 130 and 143\n"
      "stopped before all was delivered.",
      {kConfig,
       kSet,
       {"--state", "", Takes::kDirectory, false, "Directory of the state; sets storage.path"},
       {"--role", "", Takes::kText, false, "Role of this process in a cluster; sets cluster.role"},
       {"--create-topics", "", Takes::kNothing, false, "Create missing topics"},
       {"--skip-gap", "", Takes::kNothing, false,
        "Continue although input records were deleted before they were read"},
       {"--trust-state", "", Takes::kNothing, false,
        "Commit the positions of the state where the group's offsets are lost"},
       {"--change-layout", "", Takes::kNothing, false,
        "Continue with the state after input topics were added, or in another cluster"}},
      {}};
}

CommandSpec check() {
  return {"check",
          "Show the flag that each record would get if it arrived next; store nothing",
          "FILE is JSON Lines as for scan. The state is read as of the start of the command; a\n"
          "service may hold it. Flags go to stdout, with as_of_seq, the last document of the\n"
          "state, instead of seq.\n"
          "The rule is that of the state; where its seed is secret, give sketch.seed or\n"
          "sketch.seed_file.\n"
          "Exit status: 0 done, 64 usage, 65 input unreadable or every record rejected, 75 no\n"
          "state, 78 configuration.",
          {kConfig, kSet, kState, kAllowAllRejected},
          {{"FILE", Takes::kFile, 0, 1, "JSON Lines; default: - for stdin"}}};
}

CommandSpec explain() {
  return {"explain",
          "Compare two files, or two ids of a state: similarity, evidence, shared and differing "
          "passages",
          "@FILE:LINE and @kafka:TOPIC/PARTITION/OFFSET name a record by the source in its flag\n"
          "(the latter needs -c); write @@ for an id or file that begins with @. Passages and\n"
          "the exact similarity need both texts: by id, storage.keep_texts must be kept, or all\n"
          "where a document was flagged.\n"
          "With --state the rule is that of the state. Where its seed is secret and not given,\n"
          "texts have no sketch. Of texts with a similarity of 0.8 or more the words that\n"
          "differ are shown first.",
          {kConfig,
           kSet,
           kState,
           kNamespace,
           {"--color", "", Takes::kText, false,
            "auto, always or never colour what differs; default: auto, on a terminal where "
            "NO_COLOR is not set"}},
          {{"A", Takes::kFile, 1, 1, "File, id with --state, or @SOURCE"},
           {"B", Takes::kFile, 1, 1, "File, id with --state, or @SOURCE"}}};
}

CommandSpec similar() {
  return {
      "similar",
      "Find the stored documents most similar to an id or a text, including those below the "
      "threshold",
      "FILE is one text. JSON Lines (.jsonl, .jsonl.gz, .jsonl.zst, or - for stdin) are one\n"
      "query a line: an object with a text, or with only an id, and optionally a namespace.\n"
      "Each query gives one JSON object, in the order of the input; a single one gives a\n"
      "table when stdout is a terminal.\n"
      "The rule is that of the state; a query by text needs the seed where it is secret.\n"
      "Documents flagged as copies are not found, unless `against` is all. See\n"
      "docs/similar.md for what is found, and with what probability.\n"
      "Exit status: 0 answered, 64 usage or an id without a sketch, 65 unreadable, or no\n"
      "query has an answer.",
      {kConfig,
       kSet,
       kState,
       {"--top", "-k", Takes::kNumber, false, "Hits of an answer, 1 to 10000; default 10"},
       {"--min-similarity", "", Takes::kNumber, false, "Least similarity of a hit; default 0.3"},
       {"--engine", "", Takes::kText, false,
        "auto, scan, match, ewh or lsh; default similar.engine"},
       {"--namespace", "", Takes::kText, false,
        "Namespace of queries that name none; default: the empty one"},
       {"--id", "", Takes::kText, false,
        "Search for documents similar to this id, which itself is excluded"},
       {"--json", "", Takes::kNothing, false, "Print JSON even on a terminal"}},
      {{"FILE", Takes::kFile, 0, 1, "A text, or JSON Lines of queries"}}};
}

CommandSpec search() {
  return {"search",
          "Find the items of a file most similar to a query: strings, words, categories, numbers, "
          "vectors",
          "FILE of --schema is JSON and says what the fields of items and queries are. Items and\n"
          "QUERIES are JSON Lines, plain, .gz or .zst, or - for stdin; each query gives one JSON\n"
          "object, in the order of the input. \"certain\": true says that no item is missing from\n"
          "the hits. See docs/search.md for the kinds of fields, with an example of each.\n"
          "Exit status: 0 answered, 64 usage, 65 unreadable, an item that cannot be used, or no\n"
          "query has an answer, 78 schema or configuration.",
          {kConfig,
           kSet,
           {"--schema", "", Takes::kFile, false, "The fields of the items"},
           {"--items", "", Takes::kFile, false, "The items"},
           {"--top", "-k", Takes::kNumber, false, "Hits of an answer, 1 to 10000; default 10"},
           {"--max-distance", "", Takes::kNumber, false, "Greatest distance of a hit"},
           {"--candidates", "", Takes::kNumber, false,
            "Compare so many items a query and stop there, certain or not"}},
          {{"QUERIES", Takes::kFile, 0, 1, "The queries; default: standard input"}}};
}

CommandSpec groups() {
  return {"groups",
          "Group the documents of flags files with their copies, and choose one of each group; or "
          "show the largest groups of a state",
          "One JSON object a group of two or more documents: \"group\" (the id of the original),\n"
          "\"survivor\", \"members\".\n"
          "FLAGS are all flags files of one state: JSON Lines, plain, .gz or .zst, or - for\n"
          "stdin. RULEs are longest, shortest_url, https, newest, oldest and\n"
          "score:/json/pointer; each breaks ties of the previous ones. longest needs\n"
          "output.fields: [text_bytes] in the flags, shortest_url and https need [url];\n"
          "--inputs replaces both, and score: needs it. See docs/groups.md for what a group is.\n"
          "Exit status: 0 done, 64 usage, 65 input unreadable or no flags, 74 I/O error, 78\n"
          "configuration, 130 and 143 stopped by SIGINT and SIGTERM.",
          {kConfig,
           kSet,
           {"--prefer", "", Takes::kText, false, "RULE[,RULE…] of the survivor; default: oldest"},
           {"--inputs", "", Takes::kFile, true, "Inputs of the run, in the same order"},
           {"--output", "-o", Takes::kFile, false, "Write the groups to this file"},
           kState,
           {"--top", "", Takes::kNumber, false, "With --state: groups to show; default 20"},
           {"--json", "", Takes::kNothing, false, "With --state: print one JSON object"}},
          {{"FLAGS", Takes::kFile, 0, 0, "Flags files of one state"}}};
}

CommandSpec eval() {
  return {
      "eval",
      "Compare the flags of a run with known pairs of copies: precision, recall, missed and wrong "
      "pairs",
      "PAIRS has two ids a line with a tab between them; what follows a second tab is not\n"
      "read. A known pair is found when flags connect its ids, over originals too; a copy is\n"
      "right when known pairs connect it with its original. PAIRS must name all copies that\n"
      "there are, FLAGS all documents. Namespaces are not looked at. Memory: some 150 bytes\n"
      "an id.\n"
      "Exit status: 0 done, 64 usage, 65 input unreadable, no pairs or no flags.",
      {kJson},
      {{"PAIRS", Takes::kFile, 1, 1, "Known pairs, or - for stdin"},
       {"FLAGS", Takes::kFile, 1, 1, "A flags file, or - for stdin"}}};
}

CommandSpec report() {
  return {"report",
          "Show the flags of a run as one HTML file: counts, similarities, largest groups, pairs "
          "with marked text",
          "FLAGS is a flags file: JSON Lines, plain, .gz or .zst, or - for stdin. With the\n"
          "INPUTs of that run, the pairs are shown with their texts; give the settings of the\n"
          "run, or its state by --state. The page needs no network and can be printed. See\n"
          "docs/report.md for its parts.\n"
          "Exit status: 0 done, 64 usage, 65 input unreadable, no flags, or flags of another\n"
          "rule, 74 I/O error, 78 configuration, 130 and 143 stopped by SIGINT and SIGTERM.",
          {kConfig,
           kSet,
           kState,
           {"--output", "-o", Takes::kFile, false, "Write the page to this file; - for stdout"}},
          {{"FLAGS", Takes::kFile, 1, 1, "Flags of one run, or of several of one state"},
           {"INPUT", Takes::kFile, 0, 0, "Inputs of that run"}}};
}

CommandSpec features() {
  return {"features",
          "Write sketches as sparse vectors in LIBSVM format, for linear classifiers",
          "One line a record, in the order of the inputs: label 0, then one feature a value of\n"
          "the sketch. The inner product of two lines is the count of equal values. Records\n"
          "without a sketch (rejected, deleted, too short) are lines without features.\n"
          "sketch.size × 2^sketch.bits features in all.",
          {kConfig,
           kSet,
           {"--output", "-o", Takes::kFile, false, "Write the lines to this file"},
           kAllowAllRejected},
          {{"INPUT", Takes::kFile, 1, 0, "JSON Lines, as for scan"}}};
}

CommandSpec sketch() {
  return {"sketch",
          "Append the records of files to the log of a cluster, as a sketcher does with records of "
          "topics",
          "INPUT is JSON Lines as for scan, but not a pipe. -c is the configuration of the\n"
          "cluster, which gives the records their flags. A rerun, on this or another machine,\n"
          "continues each file after its last record in the log; any number of processes may\n"
          "append concurrently. docs/cluster.md shows it with batch engines.\n"
          "Exit status: 0 all is in the log, 64 usage, or too many files for the cluster, 65\n"
          "input unreadable or all of the first 1000 records rejected, 75 retry, 78\n"
          "configuration, another rule, or no cluster, 130 and 143 stopped by SIGINT and\n"
          "SIGTERM.",
          {kConfig,
           kSet,
           {"--to-log", "", Takes::kNothing, false, "Append to the log of cluster.name"},
           {"--allow-all-rejected", "", Takes::kNothing, false,
            "Append even if all of the first records are rejected"}},
          {{"INPUT", Takes::kFile, 1, 0, "Files to append, in this order"}}};
}

CommandSpec tune() {
  return {"tune",
          "Show what bands and rows do: S-curve, recall, expected candidates, bytes per document",
          "With --j1, --j2 and --documents it also shows what the LSH framework of Indyk and "
          "Motwani prescribes.",
          {kConfig,
           kSet,
           kPreset,
           {"--threshold", "", Takes::kNumber, false, "Same as --set threshold=…"},
           {"--recall", "", Takes::kNumber, false, "Same as --set lsh.recall=…"},
           {"--plot", "", Takes::kFile, false, "Write the S-curve as SVG to this file"},
           {"--documents", "", Takes::kNumber, false,
            "Documents in the index; default storage.expected_documents"},
           {"--j1", "", Takes::kNumber, false, "Similarity that must be found"},
           {"--j2", "", Takes::kNumber, false, "Similarity of unrelated documents"},
           {"--similar", "", Takes::kNothing, false,
            "Show what the engines of `neardup similar` find, and what they read"},
           kJson},
          {}};
}

CommandSpec size() {
  return {"size",
          "Estimate the memory and disk that a number of documents need",
          "",
          {kConfig,
           kSet,
           {"--documents", "", Takes::kNumber, false, "Number of kept documents"},
           kJson},
          {}};
}

CommandSpec migrate() {
  return {"migrate",
          "Change the threshold, bands or retention limits of a state, without the texts",
          "The configuration must be that of the state, except for threshold, lsh and\n"
          "retention. Past decisions stay; later records are decided by the new rule. Other\n"
          "bands need a new index, which is built from the stored sketches while the current\n"
          "one stays in place; after an interruption the state is unchanged, and the same\n"
          "command resumes. No other process may use the state meanwhile.\n"
          "A state of the previous format, or of an older text model, is converted the same\n"
          "way, under its own configuration; the summary says what happens to texts whose\n"
          "tokens differ.",
          {kConfig, kSet, kState, kJson},
          {}};
}

CommandSpec cluster_init() {
  return {
      "cluster init",
      "Create a cluster: its topics and its first position",
      "Missing topics of the cluster are created; existing ones are checked, and all their\n"
      "problems listed. --from creates the cluster from a state of scan or of a stopped\n"
      "service, which becomes the state of a decider. See docs/cluster.md for when to use a\n"
      "cluster.\n"
      "Exit status: 0 created, 75 it already exists, or the state has undelivered flags, 78\n"
      "configuration or topics.",
      {kConfig, kSet, {"--from", "", Takes::kDirectory, false, "State that the cluster continues"}},
      {}};
}

CommandSpec cluster_place() {
  return {"cluster place",
          "Set which shards of a cluster answer, and which accept new documents",
          "Appends a placement to the log; it takes effect unless another one came first.\n"
          "Shards are numbered from 0 to 63. The command waits until each newly answering shard\n"
          "is running and has applied all decisions. Deciders need no placement.\n"
          "Exit status: 0 in effect, 64 usage, 75 another placement came first, or a shard is\n"
          "not running, 78 configuration.",
          {kConfig,
           kSet,
           {"--active", "", Takes::kText, false,
            "Shards that accept new documents, in this order: 0,1"},
           {"--answering", "", Takes::kText, false,
            "Shards that answer; default: the current ones and the active ones"},
           {"--wait", "", Takes::kText, false,
            "Seconds to wait for newly answering shards; default: 60; 0: do not wait"}},
          {}};
}

std::vector<CommandSpec> make_commands() {
  return {
      scan(),
      serve(),
      check(),
      groups(),
      eval(),
      report(),
      explain(),
      similar(),
      search(),
      features(),
      sketch(),
      tune(),
      size(),
      {"stats", "Show what a state holds", "", {kState, kJson}, {}},
      {"delete",
       "Delete documents of a state by id; later copies are compared with the remaining documents",
       "A service that holds the state deletes between two batches. Unknown ids are named on\n"
       "stderr; the exit status is 0 regardless. Deleted documents match nothing any more;\n"
       "background merging reclaims their disk space, `compact --purge` does so at once.",
       {kState, kNamespace},
       {{"ID", Takes::kText, 1, 0, "Ids to delete"}}},
      {"compact",
       "Rewrite a state to reclaim the disk space of deleted documents",
       "No other process may use the state meanwhile.\n"
       "--purge removes every trace of deleted documents from its disk: also their ids in\n"
       "the log of deletes. Restoring an older backup brings them back: remove such backups.",
       {kState,
        {"--purge", "", Takes::kNothing, false, "Also empty the log of deletes by command"}},
       {}},
      migrate(),
      {"backup",
       "Copy a state, in use or not, to a new directory with checksums",
       "PATH must be new or empty. A backup is complete when it holds neardup-backup.json.\n"
       "With --service and --token-file, and without --state and PATH, a service on another\n"
       "machine backs up its state into its own `backup.directory`; the command waits and\n"
       "reports the result.",
       {kState,
        {"--service", "", Takes::kText, false, "URL of the service: http://HOST:PORT, or https"},
        {"--token-file", "", Takes::kFile, false, "File with a token of its http.token_file"}},
       {{"PATH", Takes::kDirectory, 0, 1, "Directory of the backup"}}},
      {"restore",
       "Restore a state from a backup after verifying its checksums",
       "PATH is a backup, or a directory of backups of one state: then the latest complete\n"
       "one is restored. DIR must be new or empty; rerun the same command after an\n"
       "interruption: it starts again, or reports that the state is already complete.\n"
       "Deletes by command after the backup are in the log `deletes` of the replaced state:\n"
       "--deletes repeats them. A restored state of a service catches up by itself; see\n"
       "docs/operations.md for what it needs.",
       {kState,
        {"--deletes", "", Takes::kFile, false, "Log of deletes of the replaced state"},
        {"--if-missing", "", Takes::kNothing, false,
         "If DIR is a state, do nothing and exit with status 0"}},
       {{"PATH", Takes::kDirectory, 1, 1, "The backup, or a directory of them"}}},
      cluster_init(),
      {"cluster status",
       "Show the progress, backlog and members of a cluster",
       "",
       {kConfig, kSet, kJson},
       {}},
      cluster_place(),
      {"health",
       "Check the liveness or readiness of services",
       "URL is http://HOST:PORT/healthz or …/readyz of a service. One line each, with the\n"
       "reasons. For supervisors that run a command, also in a container without a shell.\n"
       "Exit status: 0 all are, 1 one is not, or does not answer within 5 s.",
       {},
       {{"URL", Takes::kText, 1, 0, "Endpoint to check"}}},
      {"verify-vectors",
       "Check every backend of this machine against the known answers of the formats",
       "",
       {},
       {}},
      {"config check",
       "Check a configuration file and list all its problems",
       "",
       {kSet},
       {{"FILE", Takes::kFile, 1, 1, "YAML file"}}},
      {"config show",
       "Print the effective value of every setting",
       "",
       {kSet},
       {{"FILE", Takes::kFile, 0, 1, "YAML file; without it the defaults"}}},
      {"config reference", "Print the reference of all settings in Markdown", "", {}, {}},
      {"config schema", "Print all settings as a JSON Schema, for editors", "", {}, {}},
      {"metrics reference", "Print the reference of all metrics of serve in Markdown", "", {}, {}},
      {"completions",
       "Print a completion script for a shell",
       "bash:  source <(neardup completions bash)\n"
       "zsh:   neardup completions zsh > \"${fpath[1]}/_neardup\"\n"
       "fish:  neardup completions fish > ~/.config/fish/completions/neardup.fish",
       {},
       {{"SHELL", Takes::kText, 1, 1, "bash, zsh or fish", {"bash", "zsh", "fish"}}}},
  };
}

}  // namespace

std::string_view group_help(std::string_view group) {
  static const std::map<std::string_view, std::string_view> helps{
      {"cluster", "Create, show and change a cluster"},
      {"config", "Check, show and document the configuration"},
      {"metrics", "Document the metrics of serve"},
  };
  return helps.at(group);
}

std::span<const CommandSpec> commands() {
  static const std::vector<CommandSpec> table = make_commands();
  return table;
}

}  // namespace neardup
