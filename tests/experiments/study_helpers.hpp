// SPDX-License-Identifier: MIT
#pragma once
// A study in a temporary folder, and what its commands write.

#include <experiments/temporary_folder.hpp>
#include <filesystem>
#include <pomlux/experiments/study_commands.hpp>
#include <sstream>
#include <string>

namespace pomlux::test {

inline const std::string kStudy =
    "name: bench\n"
    "objective: {type: manual, sense: minimize}\n"
    "domain: {type: grid, lower: [-1, 0], upper: [1, 2], points: [9, 9], names: [volt, flow]}\n"
    "budget: {initial: 2}\n"
    "seeds: 4\n";

/// A folder with study.yaml.
class StudyFolder {
 public:
  explicit StudyFolder(const std::string& config = kStudy) {
    std::filesystem::create_directories(path());
    make_file(path() / "study.yaml", config);
  }
  std::filesystem::path path() const { return folder_.path() / "s"; }
  Study open(Study::Access access = Study::Access::kWrite) const { return Study(path(), access); }

 private:
  TemporaryFolder folder_;
};

/// What commands wrote.
struct Written {
  std::string printed, said;
  CommandOutput output() {
    return {[this](std::string_view text) { printed += text; },
            [this](std::string_view text) { said += std::string(text) + "\n"; }};
  }
};

inline void tell(const StudyFolder& folder,
                 const TellCommand& command,
                 const std::string& input = "") {
  Study study = folder.open();
  std::istringstream stream(input);
  Written written;
  run_tell(study, command, stream, written.output());
}

}  // namespace pomlux::test
