#pragma once

#include "messages/schema/draft7/compile/program.hpp"

namespace turnstile::draft7 {

/// Returns a schema of `made` that asks itself about the same value again, by
/// whatever way (`{"allOf": [{"$ref": "#"}]}`), so that no check would end; or
/// null if there is none.
const schema_node* find_loop(const program& made);

} // namespace turnstile::draft7
