#include "gfdt/gpu/control_variate/device_dictionary.hpp"

#include <algorithm>

#include "gfdt/codegen/program/unrolled.hpp"
#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/statistics/device_plan.hpp"

namespace gfdt::control_variate {

/// Text of the kernels.
extern const char* const dictionary_kernels_text;

namespace {

static_assert(lanes == codegen::device_lanes);

/// Number of statements that compile in a few seconds.
constexpr long most_statements = 6000;

/// These structures must match dictionary_kernels.cuh, as must ProductPlaces.
struct CoordinatePlaces {
  double mean, factor;
  unsigned first, profiles, in_table, padding;
};
struct ProfileShape {
  double centre, width;
  int shape, order;
};

template <class T>
gpu::Memory uploaded(const gpu::Device& device, const std::vector<T>& list) {
  gpu::Memory memory(device, list.size() * sizeof(T));
  if (!list.empty()) device.upload(std::span<const T>(list), memory.address());
  return memory;
}

std::size_t formula_rows(const DictionaryLayout& layout) {
  return layout.formulas.outputs.size() * static_cast<std::size_t>(layout.formulas.states[0].sites());
}

int shape_number(Profile::Shape shape) {
  return shape == Profile::Shape::hermite ? 0 : shape == Profile::Shape::power ? 1 : 2;
}

bool idle(const DictionaryLayout::OperatorRows& rows) {
  const auto zero = [](int row) { return row < 0; };
  return std::ranges::all_of(rows.applied, zero) && std::ranges::all_of(rows.couplings, zero);
}

}  // namespace

bool fits_device(const DictionaryLayout& layout) {
  return codegen::unrolled_size(codegen::lower(layout.formulas)) <= most_statements;
}

std::size_t DeviceDictionary::bytes_per_sample(const DictionaryLayout& layout) {
  return (formula_rows(layout) + 3 * layout.first_profile.back()) * sizeof(double);
}

DeviceDictionary::DeviceDictionary(const gpu::Device& device, const DictionaryValues& values,
                                   const std::string& more_source, unsigned room, bool changes)
    : sites_(values.dictionary().sites),
      functions_(values.functions()),
      coordinates_(values.dictionary().coordinates.size()) {
  const Dictionary& dictionary = values.dictionary();
  const DictionaryLayout& layout = values.layout();
  const statistics::DevicePlan plan{codegen::lower(layout.formulas), layout.symbols};
  source_ = codegen::device_intrinsics() + codegen::device_evaluation_source(plan.routine, "double") +
            dictionary_kernels_text + more_source;
  uniforms_ = statistics::uniform_bytes<double>(plan);
  rows_kernel_ = gpu::Kernel(device, source_, "gfdt_rows");
  profiles_kernel_ = gpu::Kernel(device, source_, "gfdt_profiles");
  apply_kernel_ = gpu::Kernel(device, source_, "gfdt_apply");
  std::vector<CoordinatePlaces> places;
  std::vector<ProfileShape> shapes;
  for (std::size_t q = 0; q < coordinates_; ++q) {
    const Spread& spread = dictionary.spreads[q];
    places.push_back({spread.mean, 1 / spread.std, static_cast<unsigned>(layout.first_profile[q]),
                      static_cast<unsigned>(layout.profiles_used[q]), static_cast<unsigned>(shapes.size()), 0});
    for (std::size_t n = 0; n < layout.profiles_used[q]; ++n) {
      const Profile& profile = dictionary.profiles[q][n];
      shapes.push_back({profile.centre, profile.width, shape_number(profile.shape), profile.order});
    }
  }
  coordinate_places_ = uploaded(device, places);
  profile_shapes_ = uploaded(device, shapes);
  generator_ = uploaded(device, layout.places(dictionary, layout.generator));
  if (changes)
    for (const DictionaryLayout::OperatorRows& change : layout.changes)
      changes_.push_back(idle(change) ? gpu::Memory() : uploaded(device, layout.places(dictionary, change)));
  rows_ = gpu::Memory(device, room * formula_rows(layout) * sizeof(double));
  profiles_ = gpu::Memory(device, room * 3 * layout.first_profile.back() * sizeof(double));
}

void DeviceDictionary::load(const SampleSpan& span, gpu::Address states) {
  const unsigned groups = groups_for(span.samples);
  rows_kernel_.launch(groups, threads_a_group, std::span<const std::byte>(uniforms_), span, states, rows_.address());
  profiles_kernel_.launch(groups * static_cast<unsigned>(coordinates_) * static_cast<unsigned>(sites_), threads_a_group,
                          span, static_cast<unsigned>(sites_), coordinate_places_.address(), profile_shapes_.address(),
                          rows_.address(), profiles_.address());
}

void DeviceDictionary::apply(const SampleSpan& span, const gpu::Memory& products, const Rows& to) {
  apply_kernel_.launch(groups_for(span.samples) * static_cast<unsigned>(functions_), threads_a_group, span, sites_,
                       static_cast<unsigned>(functions_), products.address(), rows_.address(), profiles_.address(),
                       to.sample_stride, to.function_stride, to.values);
}

void DeviceDictionary::generate(const SampleSpan& span, const Rows& to) { apply(span, generator_, to); }

bool DeviceDictionary::change(const SampleSpan& span, std::size_t parameter, const Rows& to) {
  if (changes_[parameter].bytes() == 0) return false;
  apply(span, changes_[parameter], to);
  return true;
}

}  // namespace gfdt::control_variate
