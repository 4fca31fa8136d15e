#pragma once

#include <string>
#include <vector>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

/// Values of a line; what is not finite leaves a gap.
using Values = std::vector<double>;

/// Text inside a plot, where tags of the user's must not count as such; cut where it is long.
std::string plot_text(const std::string& text);

/// The colour of the n-th method or curve, the same on all of a page.
std::string curve_colour(std::size_t n);

struct Stroke {
  std::string colour;      ///< a variable of the style sheet
  std::string group;       ///< of the key that shows and hides it
  std::string dash = "";   ///< dash, dot; solid when empty
  bool points = false;     ///< marked by dots as well
  std::string shape = "";  ///< hv, hvh: steps
  double width = 2;
};

/// `words` is shown for each point under the pointer; x and y where it is empty.
Json line_trace(const Values& x, const Values& y, const Stroke& stroke, const std::vector<std::string>& words = {});

/// The area between two lines.
Json band_trace(const Values& x, const Values& low, const Values& high, const Stroke& stroke, double opacity = 0.2);

/// Points with error bars of ± `error`, along x or y.
Json error_bars(Json trace, const Values& error, char along = 'y');

/// Axes with their names.
Json axes(const std::string& across, const std::string& up, const std::string& title = {});

/// Heights on a logarithmic axis, with ticks at 1, 2 and 5 where the traces go over three decades or less, and else at
/// whole decades.
void make_logarithmic(Panel& panel);

/// A line across the whole panel at a height, and a segment of x that is shaded.
void add_level(Json& layout, double y, const std::string& colour, const std::string& dash = "dot");
void add_segment(Json& layout, double from, double to, const std::string& colour);

/// Round numbers away from the ends of an axis, whose labels may stand beside those of a neighbour: one to six.
Values inner_ticks(double low, double high);

/// Numbers for the plotting library and for tables: null for what is not finite.
Json plot_numbers(const Values& values);
Json plot_number(double value);

}  // namespace gfdt::report
