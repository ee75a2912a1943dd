// The whole configuration, composed of the options of each folder. Loaded by config/load.h;
// config/fields.cc says which key sets which field.
#pragma once

#include <string>

#include "config/service_options.h"
#include "gpu/options.h"
#include "pipeline/rule/options.h"
#include "storage/options.h"

namespace neardup {

struct Config {
  DecisionOptions decision;
  InputOptions input;
  OutputOptions output;
  TextOptions text;
  ShingleOptions shingle;
  SketchOptions sketch;
  std::string seed_file;  // the file that holds `sketch.seed`; empty: none
  LshOptions lsh;
  RetentionOptions retention;
  FilterOptions filter;
  BackendName backend = BackendName::kAuto;
  CpuOptions cpu;
  GpuOptions gpu;
  BackendOptions backend_options() const { return {backend, cpu, gpu}; }
  BatchOptions batch;
  StorageOptions storage;
  SourceName source = SourceName::kAuto;
  KafkaOptions kafka;
  ClusterOptions cluster;
  // Whether the documents of a service come from Kafka; otherwise they come over HTTP.
  bool reads_kafka() const {
    return source == SourceName::kKafka || (source == SourceName::kAuto && kafka != KafkaOptions{});
  }
  HttpOptions http;
  BackupOptions backup;
  SearchOptions search;
  LogOptions log;
  ShutdownOptions shutdown;
};

}  // namespace neardup
