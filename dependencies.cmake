# Copyright (c) 2026 The ml-cluster authors
#
# SPDX-License-Identifier: GPL-2.0-only

# Libraries besides ns-3, for CMakeLists.txt and test/unit/CMakeLists.txt, after sources.cmake. Sets
# ML_CLUSTER_LIBRARIES (to link) and ML_CLUSTER_MISSING (Debian packages that have to be installed,
# empty if all are there); without an optional library other sources are taken.

set(ML_CLUSTER_LIBRARIES)
set(ML_CLUSTER_MISSING)

find_package(yaml-cpp QUIET)
if(TARGET yaml-cpp::yaml-cpp)
  list(APPEND ML_CLUSTER_LIBRARIES yaml-cpp::yaml-cpp)
elseif(TARGET yaml-cpp)
  list(APPEND ML_CLUSTER_LIBRARIES yaml-cpp)
else()
  string(APPEND ML_CLUSTER_MISSING " libyaml-cpp-dev")
endif()

find_package(LibXml2 QUIET)
if(TARGET LibXml2::LibXml2)
  list(APPEND ML_CLUSTER_LIBRARIES LibXml2::LibXml2)
else()
  string(APPEND ML_CLUSTER_MISSING " libxml2-dev")
endif()

find_package(NLopt CONFIG QUIET)
if(TARGET NLopt::nlopt)
  list(APPEND ML_CLUSTER_LIBRARIES NLopt::nlopt)
else()
  string(APPEND ML_CLUSTER_MISSING " libnlopt-dev")
endif()

# Libraries that are headers only: a header to look for, the package it is in
set(ML_CLUSTER_HEADER_LIBRARIES
    "nlohmann/json.hpp=nlohmann-json3-dev"
    "protozero/pbf_reader.hpp=libprotozero-dev"
    "boost/multiprecision/cpp_int.hpp=libboost-dev"
)
foreach(entry ${ML_CLUSTER_HEADER_LIBRARIES})
  string(REPLACE "=" ";" entry ${entry})
  list(GET entry 0 header)
  list(GET entry 1 package)
  string(MAKE_C_IDENTIFIER "ML_CLUSTER_FOLDER_OF_${package}" folder)
  find_path(${folder} ${header})
  mark_as_advanced(${folder})
  if(${folder})
    include_directories(SYSTEM ${${folder}})
  else()
    string(APPEND ML_CLUSTER_MISSING " ${package}")
  endif()
endforeach()

string(STRIP "${ML_CLUSTER_MISSING}" ML_CLUSTER_MISSING)

find_package(ZLIB QUIET)
if(ZLIB_FOUND)
  list(APPEND ML_CLUSTER_LIBRARIES ZLIB::ZLIB)
else()
  message(STATUS "ml-cluster: no zlib (zlib1g-dev), compressed traces cannot be read")
  list(REMOVE_ITEM ML_CLUSTER_CORE_SOURCES model/workload/trace-file.cc)
  list(APPEND ML_CLUSTER_CORE_SOURCES model/workload/without-zlib/trace-file.cc)
endif()

# ns-3 links libraries to the shared library, not to the objects it is made of
foreach(library ${ML_CLUSTER_LIBRARIES})
  get_target_property(folders ${library} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    include_directories(SYSTEM ${folders})
  endif()
endforeach()
