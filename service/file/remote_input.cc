#include "service/file/remote_input.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/arrow_library.h"
#include "service/file/raw_input.h"

namespace neardup {
namespace {

constexpr std::size_t kFirstBlock = kHeadBytes;  // all that a plan of inputs reads
constexpr std::size_t kSecondBlock = std::size_t{1} << 20;
constexpr std::size_t kLargestBlock = std::size_t{8} << 20;
constexpr std::size_t kBlocksAhead = 2;
constexpr std::chrono::milliseconds kStopCheck{100};

constexpr std::array<std::string_view, 5> kSchemes{"s3://", "gs://", "gcs://", "abfs://",
                                                   "abfss://"};
constexpr std::array<std::string_view, 9> kOptions{"region",
                                                   "scheme",
                                                   "endpoint_override",
                                                   "tls_verify_certificates",
                                                   "tls_ca_file_path",
                                                   "enable_tls",
                                                   "blob_storage_authority",
                                                   "dfs_storage_authority",
                                                   "retry_limit_seconds"};

// "?region=eu-west-1" with what follows; empty: there is none. Another ? belongs to the key.
std::string_view query_of(std::string_view path) {
  const std::size_t at = path.rfind('?');
  if (at == path.npos) return {};
  const std::string_view rest = path.substr(at + 1);
  const std::size_t equals = rest.find('=');
  const bool named =
      equals != rest.npos && equals > 0 && std::ranges::all_of(rest.substr(0, equals), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      });
  return named ? path.substr(at) : std::string_view{};
}

[[noreturn]] void refuse(std::string what) { throw Failure(Exit::kUsage, std::move(what)); }

void require_options(std::string_view query) {
  for (std::size_t at = 0; at < query.size();) {
    const std::size_t end = std::min(query.find('&', at + 1), query.size());
    const std::string_view option = query.substr(at + 1, end - at - 1);
    const std::string_view name = option.substr(0, option.find('='));
    if (std::ranges::find(kOptions, name) == kOptions.end()) {
      refuse(
          fmt::format("an input has the option {}, and after ? only {} are known; keys and "
                      "passwords come from the environment",
                      name, fmt::join(kOptions, ", ")));
    }
    if (option.find('@') != option.npos || option.find("%40") != option.npos)
      refuse(fmt::format("an input has a password in its option {}: leave it out", name));
    at = end;
  }
}

// A bucket has none of these in its name; a container of Azure is followed by @ and the account.
void require_no_password(std::string_view scheme, std::string_view bucket) {
  const bool azure = scheme.starts_with("abfs");
  const std::string_view user = azure ? bucket.substr(0, bucket.find('@')) : bucket;
  const bool anonymous = scheme.starts_with("g") && bucket.starts_with("anonymous@");
  if (user.find(':') == user.npos && (azure || anonymous || bucket.find('@') == bucket.npos))
    return;
  refuse(fmt::format(
      "an input begins with {} and a user or a password, which would be in flags and logs: give "
      "{}bucket/key, and credentials by the environment (AWS_ACCESS_KEY_ID, "
      "AWS_SECRET_ACCESS_KEY)",
      scheme, scheme));
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string first_of(const char* name, const char* other) {
  const std::string value = environment(name);
  return value.empty() ? environment(other) : value;
}

// The options of the connection that the environment has and the path has not.
std::string options_of(std::string_view query) {
  std::string options(query);
  const auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty() || options.find(fmt::format("{}=", name)) != options.npos) return;
    options += fmt::format("{}{}={}", options.empty() ? '?' : '&', name, value);
  };
  std::string endpoint = first_of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (query.find("endpoint_override=") == query.npos && !endpoint.empty()) {
    const std::size_t scheme = endpoint.find("://");
    add("scheme", scheme == endpoint.npos ? "" : endpoint.substr(0, scheme));
    add("endpoint_override", scheme == endpoint.npos ? endpoint : endpoint.substr(scheme + 3));
  }
  add("region", first_of("AWS_REGION", "AWS_DEFAULT_REGION"));
  if (options.find("endpoint_override=") != options.npos) add("region", "us-east-1");
  return options;
}

const ArrowModule& module_for(const std::string& path) {
  const ArrowModule* const module = arrow_module();
  if (module != nullptr) return *module;
  throw Failure(Exit::kUnreadable, fmt::format("{} is in a bucket, and {}. Or copy it to a file "
                                               "first, with `aws s3 cp` or the like",
                                               path, arrow_remedy()));
}

}  // namespace

bool is_remote(std::string_view path) {
  return std::ranges::any_of(kSchemes, [&](std::string_view one) { return path.starts_with(one); });
}

std::string_view without_query(std::string_view path) {
  if (is_remote(path)) path.remove_suffix(query_of(path).size());
  return path;
}

RemotePlace remote_place(const std::string& path) {
  const std::string_view all = path;
  const std::string_view scheme = all.substr(0, all.find("://") + 3);
  const std::string_view query = query_of(all);
  std::string_view rest = all.substr(scheme.size(), all.size() - scheme.size() - query.size());
  const std::string_view bucket = rest.substr(0, rest.find('/'));
  require_no_password(scheme, bucket);
  require_options(query);
  if (bucket.empty()) refuse(fmt::format("{} names no bucket: give {}bucket/key", path, scheme));
  rest.remove_prefix(std::min(rest.size(), bucket.size() + 1));
  const std::string options = scheme == "s3://" ? options_of(query) : std::string(query);
  return {.store = fmt::format("{}{}{}", scheme, bucket, options), .key = std::string(rest)};
}

void require_local_output(std::string_view what, std::string_view path) {
  if (!is_remote(path)) return;
  refuse(
      fmt::format("{} would be written to a bucket, which neardup only reads: give a local "
                  "file, and copy it there afterwards",
                  what));
}

std::string explained(std::string_view what) {
  struct Remedy {
    std::string_view sign, words;
  };
  constexpr Remedy kRemedies[] = {
      {"NO_SUCH_BUCKET", "there is no such bucket here: check its name and AWS_ENDPOINT_URL"},
      {"NO_SUCH_KEY", "there is no such object: check its key"},
      {"Path does not exist", "there is no such object or bucket: check the name"},
      {"RESOURCE_NOT_FOUND", "there is no such object or bucket: check the name"},
      {"INVALID_ACCESS_KEY_ID", "check AWS_ACCESS_KEY_ID"},
      {"SIGNATURE_DOES_NOT_MATCH", "check AWS_SECRET_ACCESS_KEY"},
      {"ACCESS_DENIED", "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may read"},
      {"HTTP status 403", "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may read"},
      {"NETWORK_CONNECTION", "check AWS_ENDPOINT_URL and the network, and rerun the command"},
      {"SLOW_DOWN", "the server asks for fewer requests: rerun the command later"},
      {"SERVICE_UNAVAILABLE", "the server is overloaded: rerun the command later"},
      {"was replaced", "the records before it were read. Rerun the command when nothing writes it"},
  };
  const std::string_view first = what.substr(0, what.find('\n'));
  for (const Remedy& remedy : kRemedies)
    if (what.find(remedy.sign) != what.npos) return fmt::format("{} ({})", remedy.words, first);
  return std::string(first);
}

RemoteStream::RemoteStream(const std::string& path)
    : object_(module_for(path).open_object(remote_place(path))), block_bytes_(kFirstBlock) {}

void RemoteStream::read_ahead() {
  const std::size_t wanted = block_bytes_ == kFirstBlock ? 1 : kBlocksAhead;
  while (ahead_.size() < wanted && asked_to_ < size()) {
    const std::uint64_t at = asked_to_;
    const std::size_t bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes_, size() - at));
    ahead_.push_back(std::async(std::launch::async, [object = object_.get(), at, bytes] {
      std::string block(bytes, '\0');
      block.resize(object->read(at, block.data(), bytes));
      return block;
    }));
    asked_to_ += bytes;
    block_bytes_ =
        block_bytes_ == kFirstBlock ? kSecondBlock : std::min(2 * block_bytes_, kLargestBlock);
  }
}

void RemoteStream::next_block(const std::atomic<bool>* stop) {
  block_ = {};
  at_ = 0;
  const bool may_be_all = block_bytes_ == kFirstBlock;  // who wants only the head stops there
  read_ahead();
  if (ahead_.empty()) return;
  while (ahead_.front().wait_for(kStopCheck) != std::future_status::ready)
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw ReadStopped();
  std::future<std::string> next = std::move(ahead_.front());
  ahead_.pop_front();
  block_ = next.get();
  if (!may_be_all) read_ahead();
}

std::size_t RemoteStream::read(char* to, std::size_t most, const std::atomic<bool>* stop) {
  if (at_ == block_.size()) next_block(stop);
  const std::size_t got = block_.copy(to, most, at_);
  at_ += got;
  return got;
}

void RemoteStream::seek(std::uint64_t offset) {
  ahead_.clear();
  block_ = {};
  at_ = 0;
  asked_to_ = offset;
  block_bytes_ = kFirstBlock;
}

}  // namespace neardup
