// The tokens that let requests in.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/connection/file_watch.h"

namespace neardup {

// Used by one thread.
class HttpTokens {
 public:
  // None, or some that stay.
  HttpTokens() = default;
  HttpTokens(std::initializer_list<std::string> tokens) : fixed_(tokens) {}
  void add(std::string token) { fixed_.push_back(std::move(token)); }

  // Reads the tokens of a file. Returns the problem, or "".
  using Read =
      std::function<std::string(const std::string& path, std::vector<std::string>& tokens)>;
  // Is told of the problem with a file that has changed, none of whose tokens lets in from now on;
  // and with "" when it is good again.
  using Told = std::function<void(const std::string& problem)>;
  // Lets in those of the file at `path`, too, which is read again when it changes. `tokens`: what
  // it held lately.
  void follow(std::string path, std::vector<std::string> tokens, Read read, Told told);

  // Whether `authorization`, the value of the header, has one of them as `Bearer TOKEN`; the scheme
  // in any case. Takes the same time for all of one length.
  bool allow(std::string_view authorization);

 private:
  void look_at_file();

  std::vector<std::string> fixed_;
  std::string path_;
  FileWatch watch_;
  std::vector<std::string> of_file_;
  Read read_;
  Told told_;
  bool good_ = true;  // the file, lately
};

}  // namespace neardup
