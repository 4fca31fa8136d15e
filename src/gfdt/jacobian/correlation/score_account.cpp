#include "gfdt/jacobian/correlation/score_account.hpp"

#include "gfdt/jacobian/correlation/score_fits.hpp"

namespace gfdt::jacobian {

ScoreAccount account_of(const ScoreFits& score) {
  ScoreAccount account{score.origin ? score.origin->name() : "", score.wall_seconds, {}, score.certificates};
  for (const score::ScoreFit& fit : score.fits)
    account.fits.push_back({fit.choice.reason, fit.details, fit.field ? fit.field->description() : ""});
  return account;
}

}  // namespace gfdt::jacobian
