# Builds the two fast suites from a copy of the sources. Paths are relative, so
# that a whole tree can be copied together with what was built in it.
CXX ?= g++
CXXFLAGS ?= -std=c++20 -O0 -I.

core := $(wildcard core/*/*.cpp)
model := $(filter-out %_test.cpp,$(wildcard tests/model/*.cpp))
conformance := $(wildcard tests/conformance/*.cpp)
object = $(addsuffix .o,$(1))
objects := $(call object,$(core) $(model) $(conformance))

explorer: $(call object,$(core) $(model))
	$(CXX) $(CXXFLAGS) $^ -o $@

driver: $(call object,$(core) $(conformance))
	$(CXX) $(CXXFLAGS) $^ -o $@

%.cpp.o: %.cpp
	$(CXX) $(CXXFLAGS) -MMD -MP -c $< -o $@

-include $(objects:.o=.d)
