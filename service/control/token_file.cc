#include "service/control/token_file.h"

#include "config/secrets.h"

namespace neardup {

void follow_token_file(const HttpOptions& options, Log& log, HttpTokens& tokens) {
  tokens.follow(
      options.token_file, options.tokens, read_token_file, [&log](const std::string& problem) {
        log.warning("tokens not read", {{"reason", "the file of `http.token_file` " + problem +
                                                       "; the tokens of before stay"}});
      });
}

}  // namespace neardup
