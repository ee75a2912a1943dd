// The module neardup._core: what the Python sources of the package build on.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <utility>

#include "python/binding/columns.h"
#include "python/binding/errors.h"
#include "python/binding/flag_objects.h"
#include "python/binding/owner.h"

namespace neardup {
namespace {

namespace nb = nanobind;

using std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTick{50};

// Lets Python handle signals and show progress during a long call.
class Ticks {
 public:
  explicit Ticks(nb::object on_progress) : on_progress_(std::move(on_progress)) {}

  Session::Progress callback() {
    return [this](std::uint64_t done) { return tick(done); };
  }

  // Throws what ended the call: KeyboardInterrupt, or an exception of `on_progress`.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  bool tick(std::uint64_t done) {
    if (error_) return false;
    const auto now = steady_clock::now();
    if (now < next_) return true;
    next_ = now + kTick;
    const nb::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!on_progress_.is_none()) on_progress_(done);
    } catch (...) {
      error_ = std::current_exception();
    }
    return !error_;
  }

  nb::object on_progress_;
  steady_clock::time_point next_ = steady_clock::now() + kTick;
  std::exception_ptr error_;
};

// Columns on their way to a service.
struct Records {
  Columns columns;
  std::string id_prefix;
  std::size_t row = 0;

  // The next ones, at most so many. Empty: all were taken.
  nb::bytes next(std::size_t most_rows, std::size_t most_bytes) {
    std::string lines;
    {
      const WithoutGil released;
      lines = write_records(columns, id_prefix, row, most_rows, most_bytes);
    }
    return nb::bytes(lines.data(), lines.size());
  }
};

// How a call names its columns, and what it does with ill-formed texts.
struct Call {
  nb::handle data;
  nb::handle ids;
  nb::handle name_spaces;
  ColumnNames names;
  bool replace;
};

Columns columns_of(const Call& call) {
  const BadText bad = call.replace ? BadText::kReplace : BadText::kRefuse;
  Columns columns = read_columns(call.data, call.ids, call.name_spaces, call.names, bad);
  const WithoutGil released;
  if (!call.replace) require_utf8(columns.texts, "text");
  if (columns.ids) require_utf8(*columns.ids, "id");
  if (columns.name_spaces) require_utf8(*columns.name_spaces, "namespace");
  return columns;
}

using Decide = FlagList (Session::*)(const Columns&, const Session::Progress&);

FlagList decide(SessionOwner& owner, Decide how, const Call& call, nb::object on_progress) {
  const Columns columns = columns_of(call);
  Ticks ticks(std::move(on_progress));
  FlagList flags =
      owner.call([&](Session& session) { return (session.*how)(columns, ticks.callback()); });
  ticks.rethrow();
  return flags;
}

template <Decide how>
FlagList decided(SessionOwner& owner, nb::handle data, nb::handle ids, nb::handle name_spaces,
                 std::string text, std::string id, std::string name_space, bool replace,
                 nb::object on_progress) {
  return decide(owner, how,
                {data, ids, name_spaces,
                 {std::move(text), std::move(id), std::move(name_space)}, replace},
                std::move(on_progress));
}

std::string similar(SessionOwner& owner, const std::string& what, bool is_id, std::uint32_t k,
                    double min_similarity, const std::string& name_space,
                    const std::string& engine) {
  if (k == 0 || k > kMostHits) throw BadInput("k has to be 1 to " + std::to_string(kMostHits));
  SearchRequest request;
  request.by = is_id ? AskedBy::kId : AskedBy::kText;
  request.what = what;
  request.k = k;
  request.min_similarity = static_cast<Ppm>(min_similarity * kOne);
  request.name_space = name_space;
  request.engine = engine_of(engine);
  return owner.call([&](Session& session) { return session.similar(request); });
}

std::string explain(SessionOwner& owner, std::string a, bool a_is_text, std::string b,
                    bool b_is_text, const std::string& name_space) {
  const ComparedSide first{std::move(a), a_is_text};
  const ComparedSide second{std::move(b), b_is_text};
  return owner.call([&](Session& session) { return session.explain(first, second, name_space); });
}

template <class Numbers>
nb::bytes bytes_of(const Numbers& numbers) {
  return nb::bytes(numbers.data(), numbers.size() * sizeof numbers[0]);
}

nb::dict sketch(nb::handle data, const std::string& text, bool replace,
                const std::vector<std::string>& sets) {
  const Columns columns =
      columns_of({data, nb::none(), nb::none(), {text, text + "\n", text + "\n"}, replace});
  Sketches found;
  {
    const WithoutGil released;
    found = sketch_texts(columns, sets);
  }
  nb::dict parts;
  parts["values"] = found.values;
  parts["bits"] = found.bits;
  parts["words"] = found.words;
  parts["bands"] = found.bands;
  parts["sketches"] = bytes_of(found.sketches);
  parts["buckets"] = bytes_of(found.buckets);
  parts["has_sketch"] = bytes_of(found.has_sketch);
  return parts;
}

void bind_records(nb::module_& module) {
  nb::class_<Records>(module, "Records")
      .def(
          "__init__",
          [](Records* made, nb::handle data, nb::handle ids, nb::handle name_spaces,
             std::string text, std::string id, std::string name_space, bool replace,
             std::string id_prefix) {
            Columns columns = columns_of({data, ids, name_spaces,
                                          {std::move(text), std::move(id), std::move(name_space)},
                                          replace});
            new (made) Records{std::move(columns), std::move(id_prefix)};
          },
          nb::arg("data").none(), nb::arg("ids").none(), nb::arg("namespaces").none(),
          nb::arg("text"), nb::arg("id"), nb::arg("namespace"), nb::arg("replace"),
          nb::arg("id_prefix"))
      .def("next", &Records::next)
      .def_rw("row", &Records::row)
      .def("__len__", [](const Records& records) { return records.columns.size(); });
}

void bind_state(nb::module_& module) {
  const auto deciding = [](auto& bound, const char* name, auto how) {
    bound.def(name, how, nb::arg("data").none(), nb::arg("ids").none(), nb::arg("namespaces").none(),
              nb::arg("text"), nb::arg("id"), nb::arg("namespace"), nb::arg("replace"),
              nb::arg("on_progress").none());
  };
  nb::class_<SessionOwner> bound(module, "State");
  bound.def(nb::init<const std::optional<std::string>&, const std::vector<std::string>&>(),
            nb::arg("path").none(), nb::arg("settings"));
  deciding(bound, "add", &decided<&Session::add>);
  deciding(bound, "check", &decided<&Session::check>);
  bound.def("similar", &similar)
      .def("explain", &explain)
      .def("groups",
           [](SessionOwner& owner, std::size_t top) {
             return owner.call([&](Session& session) { return session.groups(top); });
           })
      .def("delete",
           [](SessionOwner& owner, const std::vector<std::string>& ids, const std::string& space) {
             return owner.call([&](Session& session) { return session.remove(ids, space); });
           })
      .def("stats",
           [](SessionOwner& owner) { return owner.call([](Session& s) { return s.stats(); }); })
      .def("path",
           [](SessionOwner& owner) { return owner.call([](Session& s) { return s.path(); }); })
      .def("rule",
           [](SessionOwner& owner) { return owner.call([](Session& s) { return s.rule(); }); })
      .def("warnings",
           [](SessionOwner& owner) { return owner.call([](Session& s) { return s.warnings(); }); })
      .def("close", &SessionOwner::close)
      .def_prop_ro("is_open", &SessionOwner::is_open);
}

}  // namespace
}  // namespace neardup

NB_MODULE(_core, module) {
  nanobind::set_leak_warnings(false);  // an open state at exit is closed by the package
  neardup::register_errors();
  neardup::bind_flags(module);
  neardup::bind_records(module);
  neardup::bind_state(module);
  module.def("interpreter_ends", &neardup::WithoutGil::interpreter_ends);
  module.def("end_without_threads", &neardup::end_without_threads);
  module.def("sketch", &neardup::sketch, nanobind::arg("data").none(), nanobind::arg("text"),
             nanobind::arg("replace"), nanobind::arg("settings"));
  module.attr("__version__") = NEARDUP_PYTHON_VERSION;
}
