//===- DescriptionEnvironment.cpp - Commands of the environment -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All texts about commands, and the help that is made of them:
//
// 1. descriptions() is the table: the environment's commands, then the groups
//    dsm, numa and stride.
// 2. description() finds a command by its name. For an unknown name it returns
//    the first one, so callers compare names.
// 3. wrapped() breaks text into lines of at most 78 characters and keeps empty
//    lines between paragraphs.
// 4. helpText() writes the usage, the text, a sentence on APP if the arguments
//    have it, and the options in two columns, --help last.
//
//===----------------------------------------------------------------------===//

#include "Description.h"

using namespace graupel;

static const OptionDescription JSON = {"--json", nullptr,
                                       "for programs; the schema is in "
                                       "docs/environment.md"};

static const OptionDescription Strict = {
    "--strict", nullptr,
    "for CI: where it is impossible to run versions or to count, do not run "
    "the command, and exit with 125"};

/// 126 and 127 are statuses of a shell.
static constexpr int NotStarted = 125;

std::vector<CommandDescription> graupel::environmentDescriptions() {
  return {
      {"learn",
       "[OPTIONS] [--] COMMAND [ARGUMENTS]",
       "runs a command and remembers what it executes most",
       "Registers the program, makes instrumented versions of it and of its "
       "libraries where that has not been done, runs the command with them in "
       "the place of the originals, and adds what they counted to the "
       "database. The exit status is the command's.\n\n"
       "Do that with typical work, as often as you like; then `graupel "
       "optimize APP`, and `graupel run -- COMMAND`.",
       {{"--name", "NAME", "what to call the application (default: its file)"},
        {"--sample", nullptr,
         "no counting: run the originals under perf, at nearly full speed. "
         "Less exact, above all without branch records of the processor; what "
         "has been counted exactly goes before samples"},
        Strict},
       Completes::Command,
       {1, 1},
       nullptr,
       "",
       NotStarted},
      {"optimize",
       "[OPTIONS] [APP] [-- OPTIONS OF GRAUPEL-BOLT]",
       "makes the versions that `graupel run` runs",
       "Makes an optimized version of each image of an application, by what "
       "was counted; without APP, of the one that was learned last. Originals "
       "are never changed: the versions are in the "
       "database's store, and `graupel run` puts them in their place. Images "
       "that cannot be optimized run as they are; their reasons are shown.\n\n"
       "The command that was last given to `graupel measure` is measured "
       "again. If it is not faster than with originals, originals run. Where "
       "nothing was measured, what graupel-bolt predicts has to be no worse.",
       {{"--no-measure", nullptr,
         "do not judge: the versions run whatever they bring"},
        JSON},
       Completes::Application,
       {0, 1}},
      {"run",
       "[OPTIONS] [--] COMMAND [ARGUMENTS]",
       "runs a command with the versions in place",
       "Runs a command, and everything it starts, with the optimized or "
       "instrumented versions of all registered images in the place of the "
       "originals, as `graupel status` says. The program sees its own paths. "
       "The exit status is the command's. Where versions cannot be put in "
       "place, the originals run, with a warning.",
       {{"--state", "FOLDER",
         "the folder of graupel.db, where no HOME leads to it, as in units",
         Completes::Folder},
        Strict},
       Completes::Command,
       {1, 1},
       nullptr,
       "",
       NotStarted},
      {"shell",
       "[OPTIONS]",
       "starts a shell in which the versions are in place",
       "As `graupel run`, for everything that is started in a shell.",
       {Strict},
       Completes::Nothing,
       {},
       nullptr,
       "",
       NotStarted},
      {"build",
       "[OPTIONS] [--] COMMAND [ARGUMENTS]",
       "builds a project and optimizes what it links",
       "Runs a build command of any kind. What it links keeps its relocations. "
       "Then the training command runs with instrumented versions in place, "
       "and what it ran is optimized by what was counted, compared with what "
       "was linked (-verify), and put in its place; times stay, so make finds "
       "nothing to do. No file of the project is changed.\n\n"
       "What was linked is kept in the state folder. The exit status is the "
       "build command's if that fails; 1 if the training command fails, and 2 "
       "if graupel-bolt does with an output.",
       {{"--train", "COMMAND",
         "typical work, for `sh -c`. Without it outputs are only prepared"},
        {"--train-may-fail", nullptr,
         "use what was counted whatever the training command's status is"},
        {"--measure", nullptr,
         "run the training command before and after, 18 times in all, and "
         "compare times"},
        {"--only", "PATTERN,...",
         "optimize these outputs: names or paths from here, as in lib*.so*"},
        {"--bolt", "OPTIONS", "of graupel-bolt, as in --bolt=\"-hco -lite\""},
        {"--state", "FOLDER", "the state folder (default: .graupel)",
         Completes::Folder},
        {"--json", "FILE",
         "the table for programs; the schema is in docs/build.md",
         Completes::File},
        {"--restore", nullptr, "put back what was linked, and run nothing"}},
       Completes::Command},
      {"register",
       "[OPTIONS] PROGRAM",
       "makes an application known, with its libraries",
       "Finds the main image and every library that the loader loads with it. "
       "Libraries that are loaded later are added when `graupel learn` sees "
       "them. A registered application is brought up to date.",
       {{"--name", "NAME", "what to call it (default: its file)"}, JSON},
       Completes::Program,
       {1, 1}},
      {"instrument",
       "[OPTIONS] APP [-- OPTIONS OF GRAUPEL-BOLT]",
       "makes versions that count, for `graupel run`",
       "Makes an instrumented version of each image of an application. From "
       "then on `graupel run` runs these, and adds what they count to the "
       "database. `graupel learn` does it all in one step.",
       {JSON},
       Completes::Application,
       {1, 1}},
      {"watch",
       "[OPTIONS] [APP...]",
       "keeps optimized versions up to date",
       "Looks every minute at applications that run optimized versions, and "
       "makes a version again when its file has changed, when something has "
       "been counted that was not before, or when what is executed has drifted "
       "by 5 % from what it was made for. The next start runs it; what is "
       "running goes on. Counts come from `graupel learn`, with part of the "
       "work.\n\n"
       "Without APP all applications are watched. The exit status with --once "
       "is 2 if graupel-bolt failed with an image.",
       {{"--every", "SECONDS", "how often (default: 60)"},
        {"--once", nullptr, "one look, for cron"},
        {"--json", nullptr,
         "a line for each image that is made; the schema is in "
         "docs/environment.md"}},
       Completes::Application,
       {0, WordCount::Any}},
      {"measure",
       "[OPTIONS] [--] COMMAND [ARGUMENTS]",
       "compares the times of a command before and after",
       "Runs the command in rounds: with originals, with optimized versions in "
       "their place, and with originals again, in changing order. Says how "
       "much less time it takes, between which bounds that is in 95 % of all "
       "cases, and how much the original differs from itself, which is chance. "
       "The program must be registered and optimized; `graupel status` shows "
       "the last result. What the command reads is empty, what it prints is "
       "dropped, and it must end in the same way each time.",
       {{"--rounds", "NUMBER", "of rounds, 6 or more (default: 12)"}, JSON},
       Completes::Command,
       {1, 1}},
      {"status",
       "[OPTIONS]",
       "lists applications: what runs, what was counted, how old it is",
       "For each application: which versions run, how many images it has, how "
       "much of it was executed in how many runs, how old that is, and how "
       "many of the branches that are taken the optimized versions avoid.",
       {JSON}},
      {"show",
       "[OPTIONS] APP|IMAGE",
       "shows an application's images, versions, counts and runs",
       "With an image: all that is known of it, for all applications that have "
       "it.",
       {JSON},
       Completes::Application,
       {1, 1}},
      {"use",
       "[OPTIONS] APP|IMAGE WHAT",
       "chooses what `graupel run` runs",
       "WHAT is original, optimized or instrumented (the newest version of "
       "that kind), or the beginning of a version as `graupel show` lists "
       "them: an older one runs as long as the store has it. IMAGE is a path; "
       "what is chosen for it goes before what is chosen for its applications. "
       "`default` takes that back: for an image, or for all of APP. `graupel "
       "learn` counts all the same.",
       {JSON},
       Completes::Application,
       {2, 2}},
      {"enable",
       "[OPTIONS] APP",
       "has a program start with its versions without `graupel run`",
       "Writes a wrapper, a script with the program's name, into a folder that "
       "comes before the program's in PATH. Or, with --unit, a drop-in of a "
       "systemd service that puts `graupel run` before its program: a service "
       "of the system for root, else one of yours. No file is replaced. "
       "`graupel disable` removes what was written.\n\n"
       "In cron, name the wrapper, or set PATH. GRAUPEL_WRAPPERS=off in the "
       "environment has wrappers start originals. When the service has "
       "changed, enable it again; `graupel status` says so.",
       {{"--unit", "UNIT", "the service that starts the program"},
        {"--folder", "FOLDER", "where the wrapper is (default: ~/.local/bin)",
         Completes::Folder},
        {"--dry-run", nullptr, "print what would be written"}},
       Completes::Application,
       {1, 1}},
      {"disable",
       "[OPTIONS] APP",
       "takes back what `graupel enable` has written",
       "Removes the wrapper and the drop-ins of an application, with the "
       "folders that were made for them. A file that was changed since stays, "
       "and is named.",
       {{"--unit", "UNIT", "only the drop-in of this service"},
        {"--dry-run", nullptr, "print what would be removed"}},
       Completes::Application,
       {1, 1}},
      {"export",
       "[OPTIONS] APP FOLDER",
       "writes optimized images into a folder, by their paths",
       "For a package, or for another machine. Only versions of what is on "
       "disk now are written.",
       {{"--profiles", nullptr,
         "also the counts, as IMAGE.gprofile (or .fdata, .yaml)"},
        JSON},
       Completes::Application,
       {2, 2}},
      {"import",
       "[OPTIONS] APP|IMAGE FILE",
       "adds a profile from elsewhere",
       "FILE is of an application's program, or of the image that is named: "
       "counts of `graupel-bolt -instrument` on another machine, or samples "
       "(perf.data), which are added to what is there; or fdata or YAML, which "
       "take the place of the last such file. `graupel optimize` goes by "
       "counts or fdata or YAML, what came last; without these by samples.",
       {JSON},
       Completes::Application,
       {2, 2}},
      {"unregister",
       "[OPTIONS] APP",
       "forgets an application",
       "What was counted stays, for images that are registered again; `graupel "
       "gc` removes the files.",
       {JSON},
       Completes::Application,
       {1, 1}},
      {"gc",
       "[OPTIONS]",
       "removes versions that nothing runs any more",
       "Removes versions of files that have changed since, and of forgotten "
       "applications, older versions, and what killed programs left behind. "
       "What is running keeps its files. While another command makes versions, "
       "files of the last hour stay.",
       {JSON}},
      {"doctor",
       "[OPTIONS]",
       "says what this machine can and cannot do, and how to fix it",
       "The exit status is 1 if something is missing without which nothing "
       "works.",
       {JSON}},
      {"ui",
       "[OPTIONS]",
       "shows all that on a page in a browser, with buttons",
       "Prints the address of a page that shows applications, images, "
       "versions, counts and runs, and that can do what the other commands do. "
       "Opens it in a browser, if there is a desktop. Only programs of this "
       "machine that know the address reach it. Ends on Ctrl-C.",
       {{"--port", "NUMBER", "where to listen (default: any that is free)"},
        {"--no-browser", nullptr, "only print the address"}}},
      {"completion",
       "bash|zsh|fish",
       "prints what a shell needs to complete graupel's commands",
       "As in: source <(graupel completion bash)",
       {},
       Completes::Word,
       {1, 1},
       nullptr,
       "bash zsh fish"},
      {"man",
       "[OPTIONS] [COMMAND]",
       "prints a page of the manual, in man's language",
       "As in: graupel man dsm run | man -l -",
       {{"--into", "FOLDER", "write all pages there, each by its name",
         Completes::Folder}},
       Completes::Page,
       {0, 2}},
  };
}
