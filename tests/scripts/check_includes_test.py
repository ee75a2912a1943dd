"""The include check catches what it must, and lets pass what it should."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(root):
    return subprocess.run([sys.executable, ROOT / "scripts" / "check-includes", root], capture_output=True, text=True)


def check_file(path, *includes):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / path
        file.parent.mkdir(parents=True)
        file.write_text("#pragma once\n" + "".join(f"#include {include}\n" for include in includes))
        return check(folder)


def check_files(files):
    """`files`: path → the header that it includes."""
    with tempfile.TemporaryDirectory() as folder:
        for path, header in files.items():
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'#include "{header}"\n')
        return check(folder)


class CheckIncludes(unittest.TestCase):
    def assert_caught(self, path, include):
        result = check_file(path, "<vector>", include)
        self.assertEqual(result.returncode, 1, f"{path} with {include} passed")
        self.assertIn(f"{path}:3: ", result.stdout)

    def assert_passes(self, path, *includes):
        result = check_file(path, *includes)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_this_tree_has_no_upward_include(self):
        result = check(ROOT)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_an_upward_include_is_caught(self):
        self.assert_caught("pipeline/resolve.cc", '"config/service_options.h"')
        self.assert_caught("storage/store.cc", '"pipeline/resolve.h"')
        self.assert_caught("gpu/backend.cc", '"storage/store.h"')
        self.assert_caught("gpu/cuda/kernels/kernels.cu", '"pipeline/ports.h"')
        self.assert_caught("pipeline/model/types.h", '"gpu/options.h"')
        self.assert_caught("pipeline/model/types.h", '"metrics/probe.h"')
        self.assert_caught("pipeline/pipeline.cc", '"config/config.h"')

    def test_config_sees_only_options(self):
        self.assert_passes("config/fields.cc", '"gpu/options.h"', '"storage/options.h"', '"pipeline/model/types.h"')
        self.assert_caught("config/fields.cc", '"gpu/backend.h"')

    def test_metrics_lie_between_the_model_and_who_counts(self):
        self.assert_passes("storage/store.cc", '"metrics/probe.h"')
        self.assert_passes("metrics/registry.cc", '"pipeline/base/mutex.h"', '"pipeline/model/flag.h"')
        self.assert_caught("metrics/probe.h", '"pipeline/judge.h"')
        self.assert_caught("metrics/probe.h", '"storage/store.h"')

    def test_the_base_knows_nothing_of_documents(self):
        self.assert_passes("pipeline/model/flag.h", '"pipeline/base/enum_name.h"')
        self.assert_passes("pipeline/base/json_object.h", "<fmt/core.h>")
        self.assert_caught("pipeline/base/json_object.h", '"pipeline/model/flag.h"')

    def test_text_takes_only_the_simd_level_from_gpu(self):
        self.assert_passes("pipeline/text/normalise.cc", '"gpu/cpu/simd_level.h"', "<unicode/normalizer2.h>")
        self.assert_caught("pipeline/text/normalise.cc", '"gpu/backend.h"')
        self.assert_caught("pipeline/text/normalise.cc", '"storage/store.h"')

    def test_the_model_uses_only_the_standard_library(self):
        self.assert_passes("pipeline/model/types.h", "<cstdint>", "<string_view>")
        self.assert_caught("pipeline/model/types.h", "<fmt/format.h>")

    def test_an_outside_library_stays_at_home(self):
        self.assert_passes("storage/rocksdb_store.cc", "<rocksdb/db.h>")
        self.assert_passes("service/kafka/source.cc", "<librdkafka/rdkafkacpp.h>")
        self.assert_caught("storage/memory_store.cc", "<rocksdb/db.h>")
        self.assert_caught("service/main.cc", "<librdkafka/rdkafkacpp.h>")
        self.assert_caught("service/main.cc", "<yaml-cpp/yaml.h>")
        self.assert_caught("service/main.cc", "<prometheus/registry.h>")
        self.assert_caught("gpu/cpu/cpu_backend.cc", "<cuda_runtime.h>")
        self.assert_caught("pipeline/base/utf8.cc", "<unicode/uchar.h>")
        self.assert_caught("config/load.cc", '"CLI/CLI.hpp"')

    def test_a_path_that_does_not_start_at_the_root_is_caught(self):
        self.assert_caught("storage/store.cc", '"store.cc"')
        self.assert_caught("storage/store.cc", '"../pipeline/resolve.h"')

    def test_folders_of_service_include_lower_ones_only(self):
        self.assert_passes("service/kafka/kafka_service.cc", '"service/kafka/cluster/log/log_reader.h"',
                           '"service/state/state_order.h"', '"service/pipeline_options.h"')
        self.assert_caught("service/ingest/http_source.cc", '"service/cli/setup.h"')
        self.assert_caught("service/kafka/cluster/log/log_reader.h", '"service/kafka/cluster/shard/shard_state.h"')
        self.assert_caught("service/kafka/cluster/shard/shard_work.cc", '"service/kafka/kafka_service.h"')
        self.assert_caught("service/failpoint.h", '"service/records/sha256.h"')

    def test_folders_of_one_rank_do_not_include_each_other(self):
        self.assert_caught("service/kafka/cluster/shard/shard_work.cc", '"service/kafka/cluster/sketcher/sketching.h"')
        self.assert_caught("service/file/file_source.cc", '"service/log/log.h"')

    def test_a_new_folder_of_service_needs_a_rank(self):
        result = check_file("service/news/news.cc", "<vector>")
        self.assertEqual(result.returncode, 1)
        self.assertIn("news has no rank", result.stdout)

    def test_every_rank_has_its_folder(self):
        text = (ROOT / "scripts" / "check-includes").read_text(encoding="utf-8")
        folders = text.split('in """')[1].split('"""')[0].split()
        gone = [folder for folder in folders if not (ROOT / "service" / folder).is_dir()]
        self.assertEqual(gone, ["main", "base"], "these are the files beside the folders")

    def test_a_circle_of_folders_is_caught(self):
        result = check_files({"storage/file/a.cc": "storage/log/b.h", "storage/log/b.h": "storage/index/c.h",
                              "storage/index/c.cc": "storage/file/d.h", "storage/index/c.h": "storage/index/e.h",
                              "storage/file/d.h": "vector", "storage/index/e.h": "vector"})
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout.count("circle of folders"), 1)
        self.assertIn("storage/file → storage/log → storage/index → storage/file", result.stdout)
        self.assertIn("storage/index/c.cc includes storage/file/d.h", result.stdout)

    def test_an_interface_may_lie_beside_its_implementations_and_their_list(self):
        files = {"storage/store.h": "vector", "storage/stores.cc": "storage/rocksdb/store.h",
                 "storage/rocksdb/store.h": "storage/store.h", "storage/stores.h": "storage/store.h"}
        self.assertEqual(check_files(files).returncode, 0)
        result = check_files(files | {"storage/store.cc": "storage/rocksdb/store.h"})
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
