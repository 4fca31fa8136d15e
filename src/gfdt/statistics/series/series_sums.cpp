#include "gfdt/statistics/series/series_sums.hpp"

#include <algorithm>
#include <bit>

#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::statistics {

GFDT_DECLARE_FOR_EACH_ISA(void add_floats(const float* values, const double* reference, double* sum, double* square,
                                          long count);
                          void add_doubles(const double* values, const double* reference, double* sum, double* square,
                                           long count);
                          void add_moments(const double* value, double* sum, double* square, long count);)

namespace {

void add_values(const float* values, const double* reference, double* sum, double* square, long count) {
  GFDT_CHOOSE_ISA(lanes::best_isa(), add_floats)(values, reference, sum, square, count);
}
void add_values(const double* values, const double* reference, double* sum, double* square, long count) {
  GFDT_CHOOSE_ISA(lanes::best_isa(), add_doubles)(values, reference, sum, square, count);
}

/// Long runs are grouped first, which makes the cost of the levels negligible.
std::uint64_t group_size(std::uint64_t samples) { return samples >= 4096 ? 8 : 1; }

std::uint64_t group_count(std::uint64_t samples) { return std::max<std::uint64_t>(1, samples / group_size(samples)); }

}  // namespace

double MemberSums::mean() const { return mean_of_parts(0, parts_per_member); }

double MemberSums::mean_of_parts(int first, int last) const {
  double sum = 0, count = 0;
  for (int s = first; s < last; ++s) {
    sum += part_sum[s];
    count += static_cast<double>(part_count[s]);
  }
  return reference + sum / count;
}

std::vector<MemberSums> joined(std::span<const MemberSums> members, std::size_t segments) {
  constexpr std::size_t parts = parts_per_member;
  std::vector<MemberSums> result;
  for (std::size_t first = 0; first + segments <= members.size(); first += segments) {
    MemberSums& whole = result.emplace_back();
    whole.reference = members[first].reference;
    for (std::size_t s = 0; s < segments; ++s) {
      const MemberSums& segment = members[first + s];
      const double shift = segment.reference - whole.reference;
      double sum = 0;
      for (std::size_t part = 0; part < parts; ++part) {
        // The segments have parts · segments parts in total; `segments` of them form one part of the joined member.
        const std::size_t target = (s * parts + part) / segments;
        const double count = static_cast<double>(segment.part_count[part]);
        whole.part_sum[target] += segment.part_sum[part] + count * shift;
        whole.part_count[target] += segment.part_count[part];
        sum += segment.part_sum[part];
      }
      whole.samples += segment.samples;
      whole.square += segment.square + 2 * shift * sum + static_cast<double>(segment.samples) * shift * shift;
    }
  }
  return result;
}

std::size_t SeriesSums::level_count(std::uint64_t samples) {
  return static_cast<std::size_t>(std::bit_width(group_count(samples)));
}

std::size_t SeriesSums::bytes_per_series(std::uint64_t samples) {
  constexpr std::size_t single = 3 + parts_per_member, per_level = 3;
  return sizeof(double) * (single + per_level * level_count(samples));
}

SeriesSums::SeriesSums(int quantities, int lanes, std::uint64_t samples)
    : quantities_(static_cast<std::size_t>(quantities)),
      lanes_(static_cast<std::size_t>(lanes)),
      width_(quantities_ * lanes_),
      group_(group_size(samples)),
      groups_(group_count(samples)),
      reference_(width_, 0.0),
      group_sum_(width_, 0.0),
      square_(width_, 0.0),
      part_sum_(parts_per_member * width_, 0.0),
      part_count_(parts_per_member, 0),
      level_count_(level_count(samples), 0) {
  pending_.assign(level_count_.size() * width_, 0.0);
  level_sum_ = level_square_ = pending_;
}

template <class T>
void SeriesSums::add(const T* values, std::uint64_t samples) {
  for (std::uint64_t s = 0; s < samples; ++s) add_sample(values + s * width_);
}

template <class T>
void SeriesSums::add_sample(const T* values) {
  if (samples_done_++ == 0) std::copy_n(values, width_, reference_.data());
  add_values(values, reference_.data(), group_sum_.data(), square_.data(), static_cast<long>(width_));
  if (++in_group_ == group_) close_group();
}

/// Passes the average of the group on to the levels: if another average is waiting at a level, the two are merged and
/// passed on to the next one.
void SeriesSums::close_group() {
  std::size_t part = static_cast<std::size_t>(
      std::min<std::uint64_t>(groups_done_ * parts_per_member / groups_, parts_per_member - 1));
  double* total = at(part_sum_, part);
  for (std::size_t i = 0; i < width_; ++i) total[i] += group_sum_[i];
  part_count_[part] += group_;
  double scale = 1 / static_cast<double>(group_);
  std::vector<double>& carry = group_sum_;
  for (double& value : carry) value *= scale;
  for (std::size_t level = 0; level < level_count_.size(); ++level) {
    double* sum = at(level_sum_, level);
    double* square = at(level_square_, level);
    double* waiting = at(pending_, level);
    GFDT_CHOOSE_ISA(lanes::best_isa(), add_moments)(carry.data(), sum, square, static_cast<long>(width_));
    if (level_count_[level]++ % 2 == 0) {
      std::copy_n(carry.data(), width_, waiting);
      break;
    }
    for (std::size_t i = 0; i < width_; ++i) carry[i] = 0.5 * (carry[i] + waiting[i]);
  }
  std::fill(group_sum_.begin(), group_sum_.end(), 0.0);
  in_group_ = 0;
  ++groups_done_;
}

void SeriesSums::take(std::uint64_t seen, std::span<const double> numbers) {
  samples_done_ = seen;
  in_group_ = seen % group_;
  groups_done_ = seen / group_;
  std::uint64_t counted = 0;
  for (std::uint64_t s = 0; s < parts_per_member; ++s) {
    const std::uint64_t first_after =
        ((s + 1) * groups_ + parts_per_member - 1) / parts_per_member;  // first group of the next part
    const std::uint64_t end = s + 1 < parts_per_member ? std::min(first_after, groups_done_) : groups_done_;
    part_count_[s] = (end - counted) * group_;
    counted = end;
  }
  for (std::size_t level = 0; level < level_count_.size(); ++level) level_count_[level] = groups_done_ >> level;
  for (auto* table : {&reference_, &group_sum_, &square_, &part_sum_, &pending_, &level_sum_, &level_square_}) {
    std::copy_n(numbers.begin(), table->size(), table->begin());
    numbers = numbers.subspan(table->size());
  }
}

MemberSums SeriesSums::member_without_levels(int quantity, int lane) const {
  std::size_t place = static_cast<std::size_t>(quantity) * lanes_ + static_cast<std::size_t>(lane);
  MemberSums result;
  result.reference = reference_[place];
  result.samples = samples_done_;
  result.square = square_[place];
  for (std::size_t s = 0; s < parts_per_member; ++s) {
    result.part_sum[s] = part_sum_[s * width_ + place];
    result.part_count[s] = part_count_[s];
  }
  result.part_sum[parts_per_member - 1] += group_sum_[place];  // samples of an unfinished last group
  result.part_count[parts_per_member - 1] += in_group_;
  return result;
}

MemberSums SeriesSums::member(int quantity, int lane) const {
  const std::size_t place = static_cast<std::size_t>(quantity) * lanes_ + static_cast<std::size_t>(lane);
  MemberSums result = member_without_levels(quantity, lane);
  result.levels.reserve(level_count_.size());
  for (std::size_t level = 0; level < level_count_.size(); ++level)
    result.levels.push_back(
        {level_count_[level], level_sum_[level * width_ + place], level_square_[level * width_ + place]});
  return result;
}

/// Averages that wait for a partner are not packed, because they are no longer needed.
void SeriesSums::pack(Packer& packer) const {
  packer.put(in_group_);
  packer.put(samples_done_);
  for (const auto* table : {&reference_, &group_sum_, &square_, &part_sum_, &level_sum_, &level_square_})
    packer.put(*table);
  packer.put(part_count_);
  packer.put(level_count_);
}

void SeriesSums::unpack(Unpacker& unpacker) {
  unpacker.get(in_group_);
  unpacker.get(samples_done_);
  for (auto* table : {&reference_, &group_sum_, &square_, &part_sum_, &level_sum_, &level_square_})
    unpacker.get(*table);
  unpacker.get(part_count_);
  unpacker.get(level_count_);
}

template void SeriesSums::add(const float*, std::uint64_t);
template void SeriesSums::add(const double*, std::uint64_t);

}  // namespace gfdt::statistics
