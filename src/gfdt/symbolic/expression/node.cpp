#include "gfdt/symbolic/expression/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "gfdt/base/error.hpp"

namespace gfdt::symbolic {
namespace {

/// All existing nodes. Used as a cache: results do not depend on its contents.
class NodeTable {
 public:
  std::shared_ptr<const Node> intern(Node&& content) {
    std::lock_guard lock(mutex_);
    auto [first, last] = entries_.equal_range(content.hash);
    for (auto entry = first; entry != last; ++entry)
      if (same_content(*entry->second.node, content))
        if (auto living = entry->second.reference.lock()) return living;
    const Node* node = new Node(std::move(content));
    std::shared_ptr<const Node> owner(node, [this](const Node* dying) { release(dying); });
    entries_.emplace(node->hash, Entry{node, owner});
    return owner;
  }

 private:
  struct Entry {
    const Node* node;
    std::weak_ptr<const Node> reference;
  };

  static bool same_content(const Node& a, const Node& b) {
    return a.kind == b.kind && a.function == b.function && a.value == b.value && a.name == b.name &&
           a.indices == b.indices && a.bound == b.bound && a.operands == b.operands;
  }

  /// Deletes the node outside the lock, because the release of its operands calls this function.
  void release(const Node* dying) {
    {
      std::lock_guard lock(mutex_);
      auto [first, last] = entries_.equal_range(dying->hash);
      auto own = std::find_if(first, last, [&](const auto& entry) { return entry.second.node == dying; });
      if (own != last) entries_.erase(own);
    }
    delete dying;
  }

  std::mutex mutex_;
  std::unordered_multimap<std::size_t, Entry> entries_;
};

/// Never destroyed, so that formulas with static storage duration remain valid.
NodeTable& table() {
  static NodeTable& instance = *new NodeTable;
  return instance;
}

class ContentHash {
 public:
  void mix(std::uint64_t value) {
    state_ ^= value + 0x9E3779B97F4A7C15u + (state_ << 6) + (state_ >> 2);
    state_ *= 0xBF58476D1CE4E5B9u;
    state_ ^= state_ >> 29;
  }
  void mix(const std::string& text) {
    std::uint64_t fnv = 0xCBF29CE484222325u;
    for (char c : text) fnv = (fnv ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    mix(fnv);
  }
  void mix(const Index& index) {
    mix(index.name);
    mix(static_cast<std::uint64_t>(index.size));
  }
  std::size_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

std::size_t content_hash(const Node& node) {
  ContentHash hash;
  hash.mix(static_cast<std::uint64_t>(node.kind));
  hash.mix(static_cast<std::uint64_t>(node.function));
  hash.mix(std::bit_cast<std::uint64_t>(node.value));
  hash.mix(node.name);
  hash.mix(node.bound);
  for (const SiteIndex& site : node.indices) {
    hash.mix(site.index);
    hash.mix(static_cast<std::uint64_t>(site.offset));
  }
  for (const Expression& operand : node.operands) hash.mix(operand.hash());
  return hash.value();
}

void open_index(std::vector<Index>& open, const Index& index) {
  auto at =
      std::lower_bound(open.begin(), open.end(), index, [](const Index& a, const Index& b) { return a.name < b.name; });
  if (at == open.end() || at->name != index.name) {
    open.insert(at, index);
  } else if (at->size != index.size) {
    throw Error(
        fmt::format("The index {} has {} sites in one place and {} in another.", index.name, at->size, index.size));
  }
}

std::vector<Index> open_indices(const Node& node) {
  std::vector<Index> open;
  for (const SiteIndex& site : node.indices) open_index(open, site.index);
  for (const Expression& operand : node.operands)
    for (const Index& index : operand.identity()->open) open_index(open, index);
  if (node.kind == Kind::sum) {
    auto bound = std::find_if(open.begin(), open.end(), [&](const Index& i) { return i.name == node.bound.name; });
    if (bound != open.end()) {
      open_index(open, node.bound);
      open.erase(bound);
    }
  }
  return open;
}

int polynomial_degree(const Node& node) {
  constexpr double highest = 1 << 20;
  auto degree_of = [&](std::size_t i) { return static_cast<double>(node.operands[i].identity()->degree); };
  double degree = 1;
  switch (node.kind) {
    case Kind::number:
      degree = 0;
      break;
    case Kind::sum:
      degree = degree_of(0);
      break;
    case Kind::add:
      degree = 0;
      for (std::size_t i = 0; i < node.operands.size(); ++i) degree = std::max(degree, degree_of(i));
      break;
    case Kind::multiply:
      degree = 0;
      for (std::size_t i = 0; i < node.operands.size(); ++i) degree += degree_of(i);
      break;
    case Kind::power: {
      const Expression& exponent = node.operands[1];
      if (exponent.is_number() && is_integer(exponent.value()) && exponent.value() > 0)
        degree = degree_of(0) * exponent.value();
      break;
    }
    default:
      break;
  }
  return static_cast<int>(std::min(degree, highest));
}

}  // namespace

Expression Node::intern(Node content) {
  for (const Expression& operand : content.operands)
    content.depth = std::max(content.depth, operand.identity()->depth + 1);
  if (content.depth > Expression::deepest)
    throw Error(fmt::format("The formula is nested more than {} levels deep.", Expression::deepest));
  content.open = open_indices(content);
  for (const Index& index : content.open) content.open_names.push_back(index.name);
  content.degree = polynomial_degree(content);
  content.hash = content_hash(content);
  return Expression(table().intern(std::move(content)));
}

Expression Node::raw_add(std::vector<Expression> terms) {
  Node node;
  node.kind = Kind::add;
  node.operands = std::move(terms);
  return intern(std::move(node));
}

Expression Node::raw_multiply(std::vector<Expression> factors) {
  Node node;
  node.kind = Kind::multiply;
  node.operands = std::move(factors);
  return intern(std::move(node));
}

Expression Node::raw_power(const Expression& base, const Expression& exponent) {
  Node node;
  node.kind = Kind::power;
  node.operands = {base, exponent};
  return intern(std::move(node));
}

Expression Node::raw_call(Function function, std::vector<Expression> arguments) {
  Node node;
  node.kind = Kind::call;
  node.function = function;
  node.operands = std::move(arguments);
  return intern(std::move(node));
}

Expression Node::raw_sum(const Index& index, const Expression& body) {
  Node node;
  node.kind = Kind::sum;
  node.bound = index;
  node.operands = {body};
  return intern(std::move(node));
}

}  // namespace gfdt::symbolic
