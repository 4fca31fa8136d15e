#include <algorithm>
#include <unordered_set>

#include "gfdt/symbolic/expression/node.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::symbolic {
namespace {

/// Visits every node once; the operands only if `enter` returns true.
template <class Enter>
void visit(const Expression& formula, const Enter& enter) {
  std::unordered_set<const Node*> seen;
  std::vector<Expression> waiting{formula};
  while (!waiting.empty()) {
    Expression next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next.identity()).second || !enter(next)) continue;
    waiting.insert(waiting.end(), next.operands().begin(), next.operands().end());
  }
}

bool is_named(const Expression& e) { return e.kind() == Kind::symbol || e.kind() == Kind::site; }

}  // namespace

std::set<std::string> names_in(const Expression& formula) {
  std::set<std::string> names;
  visit(formula, [&](const Expression& e) {
    if (is_named(e)) names.insert(e.name());
    return true;
  });
  return names;
}

bool depends_on(const Expression& formula, const std::string& name) {
  bool found = false;
  visit(formula, [&](const Expression& e) {
    found = found || (is_named(e) && e.name() == name);
    return !found;
  });
  return found;
}

std::vector<Expression> sums_in(const Expression& formula) {
  std::vector<Expression> sums;
  visit(formula, [&](const Expression& e) {
    if (e.kind() == Kind::sum) sums.push_back(e);
    return true;
  });
  return sums;
}

bool contains(const Expression& formula, const Expression& part) {
  bool found = false;
  visit(formula, [&](const Expression& e) {
    found = found || e == part;
    return !found;
  });
  return found;
}

std::vector<Expression> open_sites(const Expression& formula, const std::string& field) {
  std::set<std::string> own;
  visit(formula, [&](const Expression& e) {
    if (e.kind() == Kind::site && e.name() == field)
      for (const SiteIndex& site : e.indices()) own.insert(site.index.name);
    return true;
  });
  std::vector<Expression> sites;
  visit(formula, [&](const Expression& e) {
    if (e.kind() == Kind::site && e.name() == field) sites.push_back(e);
    return e.kind() != Kind::sum || !own.contains(e.bound().name);
  });
  std::sort(sites.begin(), sites.end(), precedes);
  return sites;
}

}  // namespace gfdt::symbolic
