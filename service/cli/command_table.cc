#include "service/cli/command_table.h"

#include <map>

namespace neardup {
namespace {

const OptionSpec kConfig{"--config", "-c", Takes::kFile, false,
                         "YAML file of settings (docs/configuration.md)"};
const OptionSpec kSet{"--set", "", Takes::kSetting, true,
                      "KEY=VALUE, overrides the file and the environment"};
const OptionSpec kState{"--state", "", Takes::kDirectory, false, "Directory of the state"};
const OptionSpec kAllowAllRejected{"--allow-all-rejected", "", Takes::kNothing, false,
                                   "End with 0 also when every record was rejected"};
const OptionSpec kJson{"--json", "", Takes::kNothing, false, "Print JSON instead of text"};
const OptionSpec kNamespace{"--namespace", "", Takes::kText, false,
                            "Namespace of the ids; default: the empty one"};

CommandSpec scan() {
  return {
      "scan",
      "Flag every document of files: unique, exact duplicate or near-duplicate, and of which",
      "INPUT is JSON Lines, plain, .gz or .zst, or - for stdin; one object a line with \"id\" and "
      "\"text\".\n"
      "With --state, a later run continues: new data is compared with the old, and an interrupted "
      "run is\n"
      "taken up where it was. Without it the state is temporary. Flags go to stdout without -o.\n"
      "Exit status: 0 done, 64 usage, 65 input unreadable or every record rejected, 74 I/O error, "
      "75 state in use\n"
      "or in disagreement, 78 configuration, 130 and 143 stopped by SIGINT and SIGTERM.",
      {kConfig,
       kSet,
       {"--state", "", Takes::kDirectory, false, "Keep the state here and continue from it"},
       {"--output", "-o", Takes::kFile, false,
        "Write the flags to this file, crash-safe with --state"},
       {"--rescan", "", Takes::kNothing, false, "Take inputs that were read before as new"},
       {"--keep-going", "", Takes::kNothing, false,
        "Read the inputs after one that is damaged or missing, and end with 65"},
       kAllowAllRejected,
       {"--json", "", Takes::kNothing, false, "Summary as one JSON object on stderr's last line"}},
      {{"INPUT", Takes::kFile, 1, 0, "Files to read, in this order"}}};
}

CommandSpec serve() {
  return {
      "serve",
      "Flag documents as they come: from Kafka topics to another topic, exactly once, or over HTTP",
      "Without a setting of kafka, documents come over HTTP (docs/api.md); --state is all it needs "
      "then.\n"
      "Runs until SIGTERM or SIGINT, then delivers what it has decided (shutdown.drain_seconds). "
      "After a crash the\n"
      "same command goes on without a lost, doubled or changed flag. docs/operations.md tells how "
      "to run, watch and\n"
      "recover it.\n"
      "Exit status: 0 drained, 74 I/O error, 75 another instance took over, or state and Kafka "
      "disagree,\n"
      "78 configuration, credentials, permissions or topics; 130 and 143 stopped before all was "
      "delivered.",
      {kConfig,
       kSet,
       {"--state", "", Takes::kDirectory, false, "Directory of the state; sets storage.path"},
       {"--role", "", Takes::kText, false,
        "What this process does in a cluster; sets cluster.role"},
       {"--create-topics", "", Takes::kNothing, false, "Create the topics that are missing"},
       {"--skip-gap", "", Takes::kNothing, false,
        "Go on where input records were deleted before they were read"},
       {"--trust-state", "", Takes::kNothing, false,
        "The state is right: commit its positions where the group's offsets are lost"},
       {"--change-layout", "", Takes::kNothing, false,
        "Go on with the state after input topics were added, or in another cluster"}},
      {}};
}

CommandSpec check() {
  return {"check",
          "Show the flags that records would get if each came next, and store nothing",
          "FILE is JSON Lines as for scan. The state is read as it was when the command began; a "
          "service may\n"
          "hold it. Flags go to stdout, with as_of_seq, the last document of the state, instead of "
          "seq.\n"
          "The rule is that of the state; where its seed is secret, give sketch.seed or "
          "sketch.seed_file.\n"
          "Exit status: 0 done, 64 usage, 65 input unreadable or every record rejected, 75 no "
          "state, 78\n"
          "configuration.",
          {kConfig, kSet, kState, kAllowAllRejected},
          {{"FILE", Takes::kFile, 0, 1, "JSON Lines; default: - for stdin"}}};
}

CommandSpec explain() {
  return {"explain",
          "Compare two files, or two ids of a state: similarity, evidence, shared and differing "
          "passages",
          "@FILE:LINE and @kafka:TOPIC/PARTITION/OFFSET are a record, as the source of its flag "
          "names it (the latter\n"
          "with -c); an id or file that begins with @ is written with @@. Passages and the exact "
          "similarity need both\n"
          "texts: of ids they are there with storage.keep_texts, of flagged ones with "
          "storage.keep_texts: all.\n"
          "With --state the rule is that of the state. Where its seed is secret and not given, "
          "texts have no sketch.",
          {kConfig, kSet, kState, kNamespace},
          {{"A", Takes::kFile, 1, 1, "File, id with --state, or @SOURCE"},
           {"B", Takes::kFile, 1, 1, "File, id with --state, or @SOURCE"}}};
}

CommandSpec similar() {
  return {
      "similar",
      "Find the most similar stored documents of an id or a text, below the threshold, too",
      "FILE is one text. JSON Lines (.jsonl, .jsonl.gz, .jsonl.zst, or - for stdin) are one query\n"
      "a line: an object with a text, or with an id alone, and perhaps a namespace. Each query\n"
      "gives one JSON object, in the order of the input; a single one gives a table when stdout\n"
      "is a terminal. The rule is that of the state; a text needs its seed, where that is secret.\n"
      "What was flagged as a copy is not found, unless `against` is all. docs/similar.md says\n"
      "what is found, and how surely.\n"
      "Exit status: 0 answered, 64 usage or an id without a sketch, 65 unreadable, or no query\n"
      "has an answer.",
      {kConfig,
       kSet,
       kState,
       {"--top", "-k", Takes::kNumber, false, "Hits of an answer, 1 to 10000; default 10"},
       {"--min-similarity", "", Takes::kNumber, false, "Least similarity of a hit; default 0.3"},
       {"--engine", "", Takes::kText, false,
        "auto, scan, match, ewh or lsh; default similar.engine"},
       {"--namespace", "", Takes::kText, false,
        "Namespace to search, where a query names none; default: the empty one"},
       {"--id", "", Takes::kText, false, "Ask about this id, which is no hit itself"},
       {"--json", "", Takes::kNothing, false, "Print JSON on a terminal, too"}},
      {{"FILE", Takes::kFile, 0, 1, "A text, or JSON Lines of queries"}}};
}

CommandSpec groups() {
  return {"groups",
          "Group the documents of flags files with their copies, and choose one of each group; or "
          "show the largest groups of a state",
          "One JSON object a group of two or more documents: \"group\" (the id of the original),\n"
          "\"survivor\", \"members\".\n"
          "FLAGS are all flags files of one state: JSON Lines, plain, .gz or .zst, or - for\n"
          "stdin. RULEs are longest, shortest_url, https, newest, oldest and\n"
          "score:/json/pointer; each is for ties of those before it. longest needs\n"
          "output.fields: [text_bytes] in the flags, shortest_url and https need [url]; --inputs\n"
          "replaces both, and score: needs it. docs/groups.md tells what a group is.\n"
          "Exit status: 0 done, 64 usage, 65 input unreadable or no flags, 74 I/O error, 78\n"
          "configuration, 130 and 143 stopped by SIGINT and SIGTERM.",
          {kConfig,
           kSet,
           {"--prefer", "", Takes::kText, false, "RULE[,RULE…] of the survivor; default: oldest"},
           {"--inputs", "", Takes::kFile, true, "Records that the flags are of, in their order"},
           {"--output", "-o", Takes::kFile, false, "Write the groups to this file"},
           kState,
           {"--top", "", Takes::kNumber, false, "With --state: groups to show; default 20"},
           {"--json", "", Takes::kNothing, false, "With --state: print one JSON object"}},
          {{"FLAGS", Takes::kFile, 0, 0, "Flags files of one state"}}};
}

CommandSpec report() {
  return {"report",
          "Show the flags of a run as one HTML file: counts, similarities, largest groups, pairs "
          "with marked text",
          "FLAGS is a flags file: JSON Lines, plain, .gz or .zst, or - for stdin. With the INPUTs "
          "that it is of, the\n"
          "pairs are shown with their texts; the settings are then those of the run, or the rule "
          "is that of its state, with\n"
          "--state. The page needs no network and can be printed. docs/report.md tells what it "
          "shows.\n"
          "Exit status: 0 done, 64 usage, 65 input unreadable, no flags, or flags of another rule, "
          "74 I/O error, 78\n"
          "configuration, 130 and 143 stopped by SIGINT and SIGTERM.",
          {kConfig,
           kSet,
           kState,
           {"--output", "-o", Takes::kFile, false, "Write the page to this file; - for stdout"}},
          {{"FLAGS", Takes::kFile, 1, 1, "Flags of one run, or of several of one state"},
           {"INPUT", Takes::kFile, 0, 0, "Inputs that the flags are of"}}};
}

CommandSpec features() {
  return {"features",
          "Write sketches as sparse vectors in LIBSVM format, for linear classifiers",
          "One line a record, in the order of the inputs: label 0, then one feature a value of the "
          "sketch. The inner\n"
          "product of two lines is the count of equal values. Records without a sketch (rejected, "
          "deleted, too short)\n"
          "are lines without features. sketch.size × 2^sketch.bits features in all.",
          {kConfig,
           kSet,
           {"--output", "-o", Takes::kFile, false, "Write the lines to this file"},
           kAllowAllRejected},
          {{"INPUT", Takes::kFile, 1, 0, "JSON Lines, as for scan"}}};
}

CommandSpec sketch() {
  return {
      "sketch",
      "Append the records of files to the log of a cluster, as a sketcher does with those of "
      "topics",
      "INPUT is JSON Lines as for scan, but no pipe. With -c the configuration of the cluster. "
      "The decider gives the\n"
      "records their flags. Run again, also elsewhere, a file goes on behind its last record in "
      "the log; any number of\n"
      "processes may append at once. docs/cluster.md shows it with batch engines.\n"
      "Exit status: 0 all is in the log, 64 usage, or too many files for the cluster, 65 input "
      "unreadable or all of\n"
      "the first 1000 records rejected, 75 run it again, 78 configuration, another rule, or no "
      "cluster, 130 and 143\n"
      "stopped by SIGINT and SIGTERM.",
      {kConfig,
       kSet,
       {"--to-log", "", Takes::kNothing, false, "Append to the log of cluster.name"},
       {"--allow-all-rejected", "", Takes::kNothing, false,
        "Append also when all of the first records are rejected"}},
      {{"INPUT", Takes::kFile, 1, 0, "Files to append, in this order"}}};
}

CommandSpec tune() {
  return {"tune",
          "Show what bands and rows do: S-curve, recall, expected candidates, bytes per document",
          "With --j1, --j2 and --documents it also shows what the LSH framework of Indyk and "
          "Motwani prescribes.",
          {kConfig,
           kSet,
           {"--threshold", "", Takes::kNumber, false, "Same as --set threshold=…"},
           {"--recall", "", Takes::kNumber, false, "Same as --set lsh.recall=…"},
           {"--plot", "", Takes::kFile, false, "Write the S-curve as SVG to this file"},
           {"--documents", "", Takes::kNumber, false,
            "Documents in the index; default storage.expected_documents"},
           {"--j1", "", Takes::kNumber, false, "Similarity that must be found"},
           {"--j2", "", Takes::kNumber, false, "Similarity of strangers"},
           {"--similar", "", Takes::kNothing, false,
            "Show what the engines of `neardup similar` find, and what they read"},
           kJson},
          {}};
}

CommandSpec size() {
  return {"size",
          "Memory and disk that a number of documents need",
          "",
          {kConfig,
           kSet,
           {"--documents", "", Takes::kNumber, false, "How many documents are kept"},
           kJson},
          {}};
}

CommandSpec migrate() {
  return {
      "migrate",
      "Give a state another threshold, other bands or other limits of retention, without the texts",
      "The configuration is that of the state but for threshold, lsh and retention: what was\n"
      "decided stays, what comes is decided by the new rule. Other bands need a new index, made\n"
      "from the stored sketches beside the one in use; interrupted, the state is unchanged, and\n"
      "the same command continues. Nothing else may use the state meanwhile.\n"
      "A state of the format before, or of an older text model, is taken over the same way, under\n"
      "its own configuration; the summary says what becomes of texts that have other tokens.",
      {kConfig, kSet, kState, kJson},
      {}};
}

CommandSpec cluster_init() {
  return {"cluster init",
          "Make a cluster: its topics, and where it begins",
          "Missing topics of the cluster are created; those that are there are checked, and all "
          "their problems listed.\n"
          "--from makes the cluster from a state of scan or of a stopped service, which becomes "
          "that of a decider.\n"
          "docs/cluster.md tells when to use a cluster.\n"
          "Exit status: 0 made, 75 there is one already, or the state has flags that are not "
          "delivered, 78\n"
          "configuration or topics.",
          {kConfig,
           kSet,
           {"--from", "", Takes::kDirectory, false, "State that the cluster goes on from"}},
          {}};
}

CommandSpec cluster_place() {
  return {
      "cluster place",
      "Say which shards of a cluster answer, and which take new documents, from now on",
      "Appends a placement to the log, which counts unless another one was first. Shards are "
      "numbered from 0 to 63.\n"
      "Those that did not answer before must be at work: the command waits until they show that\n"
      "they have applied what is decided. Deciders need no placement.\n"
      "Exit status: 0 it holds, 64 usage, 75 another one was first, or a shard is not at work,\n"
      "78 configuration.",
      {kConfig,
       kSet,
       {"--active", "", Takes::kText, false, "Shards that take new documents, in this order: 0,1"},
       {"--answering", "", Takes::kText, false,
        "Shards that answer; default: those that do now, and the active ones"},
       {"--wait", "", Takes::kText, false,
        "Seconds to wait for shards that are new among them; default: 60; 0: place at once"}},
      {}};
}

std::vector<CommandSpec> make_commands() {
  return {
      scan(),
      serve(),
      check(),
      groups(),
      report(),
      explain(),
      similar(),
      features(),
      sketch(),
      tune(),
      size(),
      {"stats", "Show what a state holds", "", {kState, kJson}, {}},
      {"delete",
       "Delete documents of a state by id; their copies that come later are compared with what is "
       "left",
       "A service that runs on the state does it between two batches. Ids that are not there are "
       "named on stderr;\n"
       "the exit status is 0 all the same. Nothing matches what was deleted any more; its bytes "
       "leave the disk with\n"
       "background merging, or at once with `compact --purge`.",
       {kState, kNamespace},
       {{"ID", Takes::kText, 1, 0, "Ids to delete"}}},
      {"compact",
       "Rewrite a state so that deleted documents take no more space",
       "Nothing else may use the state meanwhile.\n"
       "With --purge nothing on its disk tells of deleted documents any more: their ids in the log "
       "of deletes go, too.\n"
       "A backup from before then brings them back when it is restored: remove it.",
       {kState,
        {"--purge", "", Takes::kNothing, false, "Forget the log of deletes by command, too"}},
       {}},
      migrate(),
      {"backup",
       "Copy a state, while a service uses it or not, to a new directory with checksums",
       "PATH must be new or empty. It is a whole backup when it holds neardup-backup.json.\n"
       "With --service and --token-file, and without --state and PATH, a service on another "
       "machine makes the backup of\n"
       "its state in its own `backup.directory`; the command waits for the end and tells it.",
       {kState,
        {"--service", "", Takes::kText, false,
         "http://HOST:PORT of the service that is asked, or https"},
        {"--token-file", "", Takes::kFile, false, "File with the token of its http.token_file"}},
       {{"PATH", Takes::kDirectory, 0, 1, "Where the backup goes"}}},
      {"restore",
       "Make a state of a backup, after all its checksums were verified",
       "PATH is a backup, or a directory of backups of one state: then the latest whole one is "
       "taken.\n"
       "DIR must be new or empty; a restore that was interrupted is begun again by the same "
       "command,\n"
       "which says so where the state is whole already.\n"
       "Deletes by command that came after the backup are in the log `deletes` of the state that "
       "is replaced: with\n"
       "--deletes they are done again. A restored state of a service catches up by itself;\n"
       "docs/operations.md tells what it needs for that.",
       {kState,
        {"--deletes", "", Takes::kFile, false, "Log of deletes of the state that is replaced"},
        {"--if-missing", "", Takes::kNothing, false, "Do nothing, with 0, where DIR is a state"}},
       {{"PATH", Takes::kDirectory, 1, 1, "The backup, or a directory of them"}}},
      cluster_init(),
      {"cluster status",
       "Show how far a cluster has decided, what waits, and who takes part",
       "",
       {kConfig, kSet, kJson},
       {}},
      cluster_place(),
      {"health",
       "Ask services whether they live or are ready",
       "URL is http://HOST:PORT/healthz or …/readyz of a service. One line each, with the "
       "reasons.\n"
       "For supervisors that run a command, also in a container without a shell.\n"
       "Exit status: 0 all say yes, 1 one does not, or does not answer within 5 s.",
       {},
       {{"URL", Takes::kText, 1, 0, "What to ask"}}},
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
       "Print every setting as it would be used",
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
      {"cluster", "Make, show and change a cluster of processes that decide as one"},
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
