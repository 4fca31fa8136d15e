#include <gmock/gmock.h>

#include "../temporary_folder.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::problem {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Expects an error at the mark ^^ of the text, which is removed first, with a message that contains `part`.
void expect_error(std::string text, const std::string& part) {
  const std::size_t mark = text.find("^^");
  ASSERT_NE(mark, std::string::npos);
  text.erase(mark, 2);
  const std::size_t line_begin = mark == 0 ? 0 : text.rfind('\n', mark - 1) + 1;
  const long line = std::count(text.begin(), text.begin() + static_cast<long>(mark), '\n') + 1;
  try {
    parse_problem(text, "p.toml");
    ADD_FAILURE() << text << " was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.message(), HasSubstr(part)) << text;
    EXPECT_EQ(error.place().file, "p.toml");
    EXPECT_EQ(error.place().line, line) << error.what();
    EXPECT_EQ(error.place().column, static_cast<int>(mark - line_begin) + 1) << error.what();
    EXPECT_EQ(error.place().source_line, text.substr(line_begin, text.find('\n', line_begin) - line_begin));
    EXPECT_TRUE(error.message().ends_with('.') || error.message().ends_with('?')) << error.message();
  }
}

const std::string model = "[model]\nstate = ['x']\n[model.parameters]\na = 1\nbb = 2\n[model.drift]\nx = '-x'\n";

TEST(ProblemError, UnknownKeysSuggestTheNearest) {
  expect_error(model + "[^^simulaton]\ndt = 1\n", "Did you mean 'simulation'?");
  expect_error(model + "[simulation]\n^^dtt = 1\n", "'dtt' is not a key of [simulation]. Did you mean 'dt'?");
  expect_error("[model]\n^^states = ['x']\n", "Did you mean 'state'?");
  expect_error("[model]\nstate = ['x']\n[model.^^drifts]\nx = '-x'\n", "Did you mean 'drift'?");
  expect_error(model + "[^^parameters]\nc = 1\n", "Did you mean [model.parameters]?");
  expect_error(model + "[calibration]\n^^fre = ['a']\n", "Did you mean 'free'?");
  expect_error(model + "[score]\n^^kind = 'kgmm'\n", "Known: method, samples");
  expect_error(model + "[score]\nmethod = '^^kgm'\n", "Did you mean 'kgmm'?");
  expect_error(model + "[score]\nmethod = 'kgmm'\nnoise = ^^0\n", "noise level");
  expect_error(model + "[response]\n^^windw = [1, 2]\n", "Did you mean 'window'?");
  expect_error(model + "[response]\nmethod = '^^gfd'\n", "Did you mean 'gfdt'?");
  expect_error(model + "[response.steps]\n^^b = 1\n", "'b' is not a parameter of the model. Did you mean 'bb'?");
  expect_error(model + "[simulation]\n^^quux = 1\n", "Known: dt, members");
  expect_error("[model]\nstate=['x']\ndrift.x='-x'\nparameters.a={value=1, ^^uper=2}\n", "Did you mean 'upper'?");
}

TEST(ProblemError, InvalidCommandsAreRejected) {
  const std::string simulation = model + "[simulation]\n";
  expect_error(simulation + "command = './run {a} ^^{ouput}'\n",
               "Nothing is known that {ouput} could stand for. Did you mean 'output'? Known: parameters, output,");
  expect_error(simulation + "command = ^^'./run {a}'\n", "The command has no {output}");
  expect_error(simulation + "command = ^^'./run {{output}}'\n", "The command has no {output}");
  expect_error(simulation + "command = ^^'./run {output} {output.nc}'\n", "it can write one trajectory");
  expect_error(simulation + "command = ^^3\n", "expected a string");
  expect_error(simulation + "command = 'r {output}'\ntimeout = ^^0\n", "it must be positive");
  expect_error(simulation + "command = 'r {output}'\nretries = ^^-1\n", "retries");
  expect_error(simulation + "^^timeout = 3\n", "'timeout' is for a command, and there is no simulation.command.");
}

TEST(ProblemError, NonAsciiCharactersNeedQuotes) {
  expect_error(model + "^^\u0353 = 1\n", "saw '\u0353'");
  expect_error(model + "^^σ = 1\n", "saw 'σ'");
  const std::string greek =
      "[model]  # σ \" '\nstate = ['x']\nparameters = { \"σ\" = 1 }\ndrift.x = \"\"\"-σ*x\"\"\" # \"\"\n";
  EXPECT_EQ(parse_problem(greek, "p.toml").model.parameters[0].name, "σ");
}

TEST(ProblemError, ValuesOfTheWrongKindAreRejected) {
  expect_error(model + "[simulation]\ndt = ^^'0.1'\n", "simulation.dt: expected a number, found a string.");
  expect_error(model + "[simulation]\nmembers = ^^1.5\n", "expected a whole number, found 1.5");
  expect_error(model + "[simulation]\nmembers = ^^true\n", "expected a whole number, found true or false");
  expect_error(model + "[simulation]\nscheme = ^^4\n", "expected a string, found a number");
  expect_error("[model]\nstate = ^^'x'\n", "model.state: expected an array, found a string");
  expect_error("[model]\nstate = ['x', ^^1]\n", "expected a string, found a number");
  expect_error("model = ^^1\n", "expected a table");
  expect_error("simulation = ^^1\n" + model, "expected a table, found a number");
  expect_error("[model]\nstate=['x']\ndrift = ^^'x'\n", "model.drift: expected a table");
  expect_error("[model]\nstate=['x']\ndrift.x = ^^true\n", "expected a formula in quotes or a number");
  expect_error("[model]\nstate=['x']\ndrift.x = ^^2020-01-01\n", "found a date or time");
  expect_error("[model]\nstate=['x']\ndrift.x = 1\nparameters.a = ^^'1'\n", "expected a number or {");
  expect_error("[model]\nstate=['x']\ndrift.x = 1\ndiffusion.x = ^^[1]\n", "a table of noises, found an array");
  expect_error("[model]\nstate=['x']\ndrift.x = 1\ninitial.x = ^^'1'\n", "expected a number or { mean");
  expect_error(model + "^^[[simulation]]\ndt = 1\n", "expected a table, found an array");
}

TEST(ProblemError, FormulasAreMarkedInsideTheirQuotes) {
  expect_error("[model]\nstate=['x']\ndrift.x = \"-x + ^^y\"\n", "The name y is not known");
  expect_error("[model]\nstate=['x']\n[model.drift]\nx =   '-x * ^^zz'\n", "The name zz is not known");
  expect_error("[model]\nstate=['x']\n[model.drift]\nx = \"2^^x\"\n", "write 2*x");
  expect_error(model + "[observables]\nv = \"x^2 + ^^w\" # no w\n", "The name w is not known");
  expect_error("[model]\nstate=['x']\ndrift.x='-x'\ndiffusion.x={ w1 = '1', w2 = 'sin(^^q)' }\n", "q is not known");
}

void expect_place(const std::string& text, int line, int column) {
  try {
    parse_problem(text, "p.toml");
    ADD_FAILURE() << text << " was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, line) << error.what();
    EXPECT_EQ(error.place().column, column) << error.what();
  }
}

TEST(ProblemError, FormulasOfSeveralLinesAreMarkedInTheirLine) {
  expect_place("[model]\nstate=['x']\ndrift.x = \"\"\"\n-x +\n  y\"\"\"\n", 5, 3);
  expect_place("[model]\nstate=['x']\ndrift.x = '''-x +\n  y'''\n", 4, 3);
}

TEST(ProblemError, FormulasWithEscapesAreCountedFromTheirStart) {
  expect_place("[model]\nstate=['x']\ndrift.x = \"\\u0071\"\n", 3, 11);
}

TEST(ProblemError, NonAsciiCharactersCountAsOneColumn) {
  expect_place("[model]\nstate=['θ']\ndrift.\"θ\" = '-θ + q'\n", 3, 19);
}

TEST(ProblemError, NamesAreMarkedInsideTheirQuotes) {
  expect_error("[model]\nstate = ['^^X[k]']\n[model.drift]\nX = '1'\n", "index 'k'");
  expect_error("[model]\nstate=['x']\n[model.drift]\n\"^^xx\" = '1'\n", "'xx' is not a state");
  expect_error("[model]\nstate=['^^x', 'y']\n[model.drift]\ny = '1'\n", "'x' has no drift");
  expect_error("[model]\nstate=['x']\ndrift.x='1'\ninitial.^^y = 1\n", "'y' is not a state");
  expect_error("[model]\nstate=['x']\ndrift.x='1'\ndiffusion.^^y = 1\n", "'y' is not a state");
  expect_error(model + "[observables]\n^^a = 'x'\n", "defined twice");
}

TEST(ProblemError, SyntaxErrorsAreMarked) {
  expect_error("[model]\nstate = ['x'\n^^drift = 1\n", "");
  expect_error(model + "^^[model]\n", "cannot redefine");
  expect_error("[model]\nstate = ['x']\ndrift.x = '1'\ndrift.x = ^^'2'\n", "cannot redefine");
  expect_error(model + "[simulation]\nseed = 99999999999999999999^^\n", "64 bits");
  expect_error("[^^\nmodel]\n", "expected");
  EXPECT_THROW(parse_problem("[model", "p.toml"), InputError);
  EXPECT_THROW(parse_problem("[", "p.toml"), InputError);
  EXPECT_THROW(parse_problem("[model]\nx = \"abc\n", "p.toml"), InputError);
  EXPECT_THROW(parse_problem(std::string("[model]\nx = \0 1", 14), "p.toml"), InputError);
}

TEST(ProblemError, EmptyFilesAndMissingModelsAreRejected) {
  for (const char* text : {"", "\n\n", "# nothing\n"}) {
    try {
      parse_problem(text, "p.toml");
      FAIL();
    } catch (const InputError& error) {
      EXPECT_THAT(error.message(), HasSubstr("empty"));
      EXPECT_EQ(error.place().line, 1);
    }
  }
  expect_error("^^[simulation]\ndt = 1\n", "There is no [model]");
  expect_error("[^^model]\n", "does not name its state variables");
  expect_error("[model]\nstate = ^^[]\n", "at least one state");
  expect_error("[^^model.drift]\nx = '1'\n", "does not name its state variables");
}

TEST(ProblemError, InvalidUtf8IsRejected) {
  try {
    parse_problem("[model]\n# caf\xE9\n", "p.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.message(), HasSubstr("UTF-8"));
    EXPECT_EQ(error.place().line, 2);
    EXPECT_EQ(error.place().column, 6);
  }
  for (const char* bytes : {"\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\x80", "\xFF\xFE"})
    EXPECT_THROW(parse_problem(std::string("# ") + bytes, "p.toml"), InputError);
}

TEST(ProblemError, InvalidNumbersAreRejected) {
  const std::string head = "[model]\nstate=['x']\ndrift.x='-x'\n";
  expect_error(head + "parameters.a = ^^nan\n", "model.parameters.a: expected a finite number, found nan");
  expect_error(head + "parameters.a = { value = ^^inf }\n", "finite number");
  expect_error(head + "parameters.a = { value = 1, lower = ^^nan }\n", "found nan");
  expect_error(head + "parameters.^^a = { value = 1, lower = 2 }\n", "not within its bounds");
  expect_error(head + "parameters.^^a = { lower = 2 }\n", "has no value");
  expect_error(head + "initial.x = { std = ^^-1 }\n", "negative");
  expect_error(head + "sites.k = ^^0\n", "must be between 1 and");
  expect_error(head + "sites.k = ^^100000000000\n", "must be between 1 and");
  expect_error("[model]\nstate=['x']\ndrift.x=^^inf\n", "finite number");
}

TEST(ProblemError, InvalidSimulationOptionsAreRejected) {
  const std::string head = model + "[simulation]\n";
  expect_error(head + "dt = ^^0\n", "dt is 0");
  expect_error(head + "dt = ^^-0.1\n", "must be a positive number");
  expect_error(head + "dt = ^^nan\n", "finite number");
  expect_error(head + "dt = 0.1\nmembers = ^^0\n", "number of members is 0");
  expect_error(head + "members = ^^-1\n", "out of range");
  expect_error(head + "members = ^^99999999999\n", "out of range");
  expect_error(head + "dt = 0.1\nlength = ^^0.01\n", "holds no sample");
  expect_error(head + "cadence = ^^0\n", "at least 1");
  expect_error(head + "burn_in = ^^-5\n", "not negative");
  expect_error(head + "length = ^^1e300\n", "steps");
  expect_error(head + "seed = ^^-1\n", "out of range");
  expect_error(head + "scheme = '^^euler'\n", "is not one of euler-maruyama, rk4, weak2");
  expect_error(head + "precision = '^^half'\n", "is not one of float, double");
}

TEST(ProblemError, InvalidResponseOptionsAreRejected) {
  expect_error(model + "[response]\nsamples = 5000\nwindow = ^^[5, 2]\n", "The window [5, 2] is empty");
  expect_error(model + "[response]\nwindow = ^^[-1, 2]\n", "a start of at least 0");
  expect_error(model + "[response]\nwindow = ^^[2]\n", "expected a start and an end, such as [2, 5]");
  expect_error(model + "[response]\nwindow = ^^5\n", "response.window: expected an array, found a number");
  expect_error(model + "[response]\nwindow = [2, ^^'x']\n", "response.window: expected a number, found a string");
  expect_error(model + "[response]\nwindow = [2, ^^inf]\n", "expected a finite number");
  expect_error(model + "[response]\nsamples = ^^10\nwindow = [2, 5]\n", "use at least 1000");
  expect_error(model + "[response]\ncross_fit = ^^1\n", "expected true or false, found a number");
  expect_error(model + "[response]\nrelative_step = ^^0\n", "The relative_step is 0; it must be positive");
  expect_error(model + "[response.steps]\na = 1\nbb = ^^-0.5\n", "The step of 'bb' is -0.5; steps must be positive");
  expect_error(model + "[response]\nsteps = ^^0.1\n", "response.steps: expected a table, found a number");
}

TEST(ProblemError, InvalidTimeDependenceIsRejected) {
  const std::string head = "[model]\nstate=['x']\ndrift.x='-x + cos(t)'\n";
  expect_error("[model]\nstate=['x']\ndrift.x='-x + cos(^^t)'\n", "say so in [model]: 'period = 6.2832'");
  expect_error(head + "period = ^^0\n", "The period is 0; it must be a positive time.");
  expect_error(head + "period = ^^'1'\n", "model.period: expected a number, found a string");
  expect_error(head + "time = ^^1\n", "model.time: expected true or false");
  expect_error(head + "period = 1\ntime = ^^false\n", "leave out either");
  expect_error(head + "time = true\nparameters.^^t = 1\n", "'t' is the time in this model");
  expect_error(head + "period = 4\n[simulation]\nlength = ^^11\n", "holds fewer than three periods of 4");
  expect_error(head + "period = ^^1e4\n", "The length 1000 holds fewer than three periods");
  expect_error(head + "time = true\n[simulation]\nprecision = ^^'float'\n", "runs in double precision");
}

TEST(ProblemError, InvalidTargetsAreRejected) {
  const std::string head = model + "[observables]\nvar = 'x^2'\nmean_x = 'x'\n[targets]\n";
  expect_error(head + "^^vr = { value = 1, std = 1 }\n", "The target 'vr' is not an observable. Did you mean 'var'?");
  expect_error(head + "var = ^^1.0\n", "its standard error");
  expect_error(head + "^^var = { value = 1 }\n", "lacks its 'std'");
  expect_error(head + "^^var = { std = 1 }\n", "lacks its 'value'");
  expect_error(head + "var = { value = 1, std = ^^0 }\n", "must be positive");
  expect_error(head + "var = { value = 1, std = ^^-2 }\n", "must be positive");
  expect_error(head + "var = { value = ^^inf, std = 1 }\n", "finite number");
  expect_error(head + "var = { value = 1, ^^error = 1 }\n", "not a key");
}

TEST(ProblemError, InvalidFreeParametersAreRejected) {
  const std::string head = model + "[calibration]\n";
  expect_error(head + "free = ['a', '^^b']\n", "Did you mean 'bb'?");
  expect_error(head + "free = ['a', '^^a']\n", "named twice");
  expect_error(head + "free = ^^[]\n", "leave out 'free'");
  expect_error(head + "free = ^^'a'\n", "expected an array");
}

TEST(ProblemError, UnreadableFilesAreReported) {
  const TemporaryFolder folder;
  const auto read = [&](const std::filesystem::path& file) { return complaint<Error>([&] { read_problem(file); }); };
  EXPECT_THAT(read(folder / "none.toml"), HasSubstr("cannot be opened: No such file"));
  EXPECT_THAT(read(folder.path()), HasSubstr("is a folder, not a file"));
  EXPECT_THAT(read(folder.file("huge.toml", std::string((16 << 20) + 1, '#'))), HasSubstr("larger than 16 MB"));
  EXPECT_THAT(read("/dev/zero"), HasSubstr("larger than 16 MB"));
  EXPECT_THAT(read(folder.file("empty.toml", "")), HasSubstr("empty"));
}

TEST(ProblemError, VeryLongKeysAndDeepNestingAreRejected) {
  std::string key = "a";
  for (int i = 0; i < 1'000'000; ++i) key += ".a";
  EXPECT_THAT(complaint<InputError>([&] { parse_problem(key + " = 1", "p.toml"); }), HasSubstr("more than 64 parts"));
  EXPECT_THAT(complaint<InputError>([&] { parse_problem("[" + key + "]", "p.toml"); }),
              HasSubstr("more than 64 parts"));
  EXPECT_NE(complaint<InputError>([&] { parse_problem("a = " + std::string(1'000'000, '['), "p.toml"); }), "");
  std::string tables;
  for (int i = 0; i < 100'000; ++i) tables += "{a=";
  EXPECT_NE(complaint<InputError>([&] { parse_problem("a = " + tables, "p.toml"); }), "");
}

TEST(ProblemError, ALongLineIsNotRepeated) {
  const std::string text = model + "[observables]\nv = '" + std::string(100'000, '+') + "q'\n";
  EXPECT_LT(complaint<InputError>([&] { parse_problem(text, "p.toml"); }).size(), 1000u);
}

}  // namespace
}  // namespace gfdt::problem
