// The tokens among which drafts choose: which are in the list, and when it suffices.
#include "runtime/drafts/shortlist.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <vector>

using namespace heed::runtime;
using heed::tokenizer::TokenId;

namespace {

constexpr std::size_t kListVocabulary = 4003, kListRows = 8, kListFrequent = 32;  // in panels, of which the vocabulary has 501

/// The listed panels, each of which is listed once.
std::set<std::size_t> listed_panels(const Shortlist& shortlist) {
  std::set<std::size_t> panels;
  for (const auto& [begin, end] : shortlist.panels())
    for (std::size_t panel = begin; panel < end; ++panel) CHECK(panels.insert(panel).second);
  return panels;
}

void see_list_panel(Shortlist& shortlist, std::size_t panel, bool written) {
  const auto id = static_cast<TokenId>(panel * kListRows + panel % kListRows);
  shortlist.see({&id, 1}, written);
}

}  // namespace

TEST_CASE("frequent tokens are in the shortlist, and those seen last", "[runtime][drafts]") {
  Shortlist shortlist(kListVocabulary, kListRows);
  std::set<std::size_t> frequent;
  for (std::size_t panel = 0; panel < kListFrequent; ++panel) frequent.insert(panel);
  CHECK(listed_panels(shortlist) == frequent);
  for (std::size_t panel = 100; panel < 100 + kListFrequent; ++panel) {
    see_list_panel(shortlist, panel, false);
    see_list_panel(shortlist, panel, false);
    see_list_panel(shortlist, 3, false);
  }
  CHECK(listed_panels(shortlist).size() == 2 * kListFrequent);
  see_list_panel(shortlist, 500, false);  // the last one, in which there are fewer tokens
  see_list_panel(shortlist, 200, false);
  const auto panels = listed_panels(shortlist);
  CHECK(panels.size() == 2 * kListFrequent);
  CHECK(std::ranges::includes(panels, frequent));
  for (const std::size_t panel : {102, 131, 200, 500}) CHECK(panels.contains(panel));
  for (const std::size_t panel : {100, 101}) CHECK_FALSE(panels.contains(panel));

  const std::vector<TokenId> strange = {-1, 4100};  // an image, and a token of another vocabulary
  shortlist.see(strange, true);
  CHECK(listed_panels(shortlist) == panels);
}

TEST_CASE("the shortlist suffices while most tokens that are written are in it", "[runtime][drafts]") {
  Shortlist shortlist(kListVocabulary, kListRows);
  CHECK(shortlist.suffices());
  for (std::size_t panel = 100; panel < 120; ++panel) see_list_panel(shortlist, panel, false);
  CHECK(shortlist.suffices());  // what a prompt has says nothing
  for (std::size_t panel = 200; panel < 205; ++panel) see_list_panel(shortlist, panel, true);
  CHECK_FALSE(shortlist.suffices());
  for (std::size_t panel = 100; panel < 120; ++panel) see_list_panel(shortlist, panel, true);
  CHECK(shortlist.suffices());
}
