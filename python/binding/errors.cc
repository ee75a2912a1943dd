#include "python/binding/errors.h"

#include <nanobind/nanobind.h>

#include <exception>

namespace neardup {
namespace {

namespace nb = nanobind;

const char* kind_of(const Failure& failure) {
  if (dynamic_cast<const OtherRule*>(&failure) != nullptr) return "RuleError";
  if (dynamic_cast<const Closed*>(&failure) != nullptr) return "ClosedError";
  if (dynamic_cast<const Forked*>(&failure) != nullptr) return "ForkError";
  switch (failure.exit()) {
    case Exit::kUsage:
    case Exit::kUnreadable:
      return "InputError";
    case Exit::kIo:
      return "StorageError";
    case Exit::kUnavailable:
      return "StateInUseError";
    case Exit::kConfig:
      return "SettingsError";
    case Exit::kInternal:
      break;
  }
  return "InternalError";
}

void raise(const char* kind, const char* message) {
  const nb::object type = nb::module_::import_("neardup._errors").attr(kind);
  PyErr_SetString(type.ptr(), message);
}

}  // namespace

void register_errors() {
  nb::register_exception_translator([](const std::exception_ptr& error, void* /*unused*/) {
    try {
      std::rethrow_exception(error);
    } catch (const Failure& failure) {
      raise(kind_of(failure), failure.what());
    } catch (const nb::builtin_exception&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;  // MemoryError
    } catch (const std::exception& other) {
      raise("InternalError", other.what());
    }
  });
}

}  // namespace neardup
