#include "metrics/registry.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <cassert>
#include <list>
#include <utility>

#include "pipeline/base/mutex.h"

namespace neardup {
namespace {

std::size_t place(Metric metric) { return static_cast<std::size_t>(metric); }

// The labels of the series of the listed value at position `value`.
prometheus::Labels labels_at(const MetricInfo& info, std::size_t value) {
  if (info.labels.empty()) return {};
  return {{std::string(info.labels.front().name), std::string(info.labels.front().values[value])}};
}

std::size_t series_of(const MetricInfo& info) {
  return info.labels.empty() ? 1 : info.labels.front().values.size();
}

prometheus::MetricType library_type(MetricType type) {
  return type == MetricType::kCounter ? prometheus::MetricType::Counter
                                      : prometheus::MetricType::Gauge;
}

class ScrapedSamples : public Samples {
 public:
  void set(Metric metric, double value, LabelValue label) override {
    const MetricInfo& info = metric_info(metric);
    std::vector<std::string> labels;
    if (!info.labels.empty()) labels.emplace_back(info.labels.front().values.at(label.place()));
    set(metric, value, std::move(labels));
  }

  void set(Metric metric, double value, std::vector<std::string> labels) override {
    const MetricInfo& info = metric_info(metric);
    assert(info.source == MetricSource::kScrape && labels.size() == info.labels.size());
    prometheus::ClientMetric sample;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      sample.label.push_back({std::string(info.labels[i].name), std::move(labels[i])});
    }
    (info.type == MetricType::kCounter ? sample.counter.value : sample.gauge.value) = value;
    series_[place(metric)].push_back(std::move(sample));
  }

  void move_to(std::vector<prometheus::MetricFamily>& families) {
    for (std::size_t i = 0; i < kMetrics; ++i) {
      if (series_[i].empty()) continue;
      const MetricInfo& info = metric_info(static_cast<Metric>(i));
      families.push_back({std::string(info.name), std::string(info.help), library_type(info.type),
                          std::move(series_[i])});
    }
  }

 private:
  std::array<std::vector<prometheus::ClientMetric>, kMetrics> series_;
};

}  // namespace

struct MetricRegistry::Impl {
  prometheus::Registry library;
  // By metric and place of the label's value.
  std::array<std::vector<prometheus::Counter*>, kMetrics> counters;
  std::array<std::vector<prometheus::Histogram*>, kMetrics> histograms;
  std::array<prometheus::Gauge*, kMetrics> gauges{};

  mutable Mutex mutex;
  std::list<Reader> readers GUARDED_BY(mutex);

  Impl() {
    for (std::size_t i = 0; i < kMetrics; ++i) {
      const MetricInfo& info = metric_info(static_cast<Metric>(i));
      if (info.source == MetricSource::kEvents) make(i, info);
    }
  }

  void make(std::size_t i, const MetricInfo& info) {
    const auto family = [&](auto builder) -> auto& {
      return builder.Name(std::string(info.name)).Help(std::string(info.help)).Register(library);
    };
    switch (info.type) {
      case MetricType::kCounter: {
        auto& made = family(prometheus::BuildCounter());
        for (std::size_t value = 0; value < series_of(info); ++value) {
          counters[i].push_back(&made.Add(labels_at(info, value)));
        }
        break;
      }
      case MetricType::kHistogram: {
        auto& made = family(prometheus::BuildHistogram());
        for (std::size_t value = 0; value < series_of(info); ++value) {
          histograms[i].push_back(&made.Add(labels_at(info, value), info.buckets));
        }
        break;
      }
      case MetricType::kGauge:
        gauges[i] = &family(prometheus::BuildGauge()).Add({});
        break;
    }
  }
};

namespace {

class Detach : public MetricRegistry::Attachment {
 public:
  explicit Detach(std::function<void()> detach) : detach_(std::move(detach)) {}
  ~Detach() override { detach_(); }
  Detach(const Detach&) = delete;
  Detach& operator=(const Detach&) = delete;

 private:
  std::function<void()> detach_;
};

}  // namespace

MetricRegistry::MetricRegistry() : impl_(std::make_unique<Impl>()) {}

MetricRegistry::~MetricRegistry() = default;

void MetricRegistry::add(Metric metric, double amount, LabelValue label) {
  impl_->counters[place(metric)].at(label.place())->Increment(amount);
}

void MetricRegistry::advance(Metric metric, double total, LabelValue label) {
  prometheus::Counter& counter = *impl_->counters[place(metric)].at(label.place());
  counter.Increment(total - counter.Value());
}

void MetricRegistry::set(Metric metric, double value) { impl_->gauges[place(metric)]->Set(value); }

void MetricRegistry::observe(Metric metric, double value, LabelValue label) {
  impl_->histograms[place(metric)].at(label.place())->Observe(value);
}

void MetricRegistry::observe(Metric metric, const LocalHistogram& values) {
  observe(metric, values.counts(), values.sum());
}

void MetricRegistry::observe(Metric metric, const std::vector<double>& counts, double sum) {
  impl_->histograms[place(metric)].front()->ObserveMultiple(counts, sum);
}

std::unique_ptr<MetricRegistry::Attachment> MetricRegistry::attach(Reader reader) {
  const MutexLock lock(impl_->mutex);
  const auto at = impl_->readers.insert(impl_->readers.end(), std::move(reader));
  return std::make_unique<Detach>([this, at] {
    const MutexLock detaching(impl_->mutex);
    impl_->readers.erase(at);
  });
}

double MetricRegistry::counted(Metric metric, LabelValue label) const {
  return impl_->counters[place(metric)].at(label.place())->Value();
}

MetricRegistry::Observed MetricRegistry::observed(Metric metric) const {
  const auto histogram = impl_->histograms[place(metric)].front()->Collect().histogram;
  return {static_cast<double>(histogram.sample_count), histogram.sample_sum};
}

void MetricRegistry::read(Samples& samples) const {
  const MutexLock lock(impl_->mutex);
  for (const Reader& reader : impl_->readers) reader(samples);
}

std::string MetricRegistry::scrape() const {
  ScrapedSamples samples;
  read(samples);
  std::vector<prometheus::MetricFamily> families = impl_->library.Collect();
  samples.move_to(families);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace neardup
